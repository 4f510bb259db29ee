// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/wizard_frame.h"

#include "core/run/recipe/recipe.h"
#include "core/run/recipe/recipe_problems.h"
#include "core/study/derived.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/design_page.h"
#include "widgets/text/wording.h"
#include "widgets/wizard/forms/constraint_editor.h"

#include <QListWidget>
#include <QRegularExpression>
#include <QScrollArea>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

/// "The low of lr …" from "the low of lr …".
QString asSentence(const std::string& message)
{
    QString words = QString::fromStdString(message);
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    return words.endsWith(QLatin1Char('.')) ? words : words + QLatin1Char('.');
}

/// Where a problem is mended, from where study::validate() finds it.
WizardStep locateWizardStep(const std::string& where)
{
    static const std::vector<std::pair<std::string_view, WizardStep>> places = {
        {"factors", WizardStep::Factors},      {"levels of", WizardStep::Factors},
        {"constraints", WizardStep::Factors},  {"fixed", WizardStep::Factors},
        {"responses", WizardStep::Responses},  {"model", WizardStep::Responses},
        {"design", WizardStep::Design},        {"runs", WizardStep::Design},
        {"benchmark", WizardStep::Measurement}};
    const auto found =
        std::ranges::find_if(places, [&](const auto& place) { return where.starts_with(place.first); });
    return found == places.end() ? WizardStep::Summary : found->second;
}

void addMissing(const study::Study& study, std::vector<WizardProblem>& problems)
{
    const auto add = [&](WizardStep step, const char* words) {
        problems.push_back({.step = step, .words = tr(words), .isMissing = true});
    };
    if (QString::fromStdString(study.name).trimmed().isEmpty())
        add(WizardStep::Question, "Give the study a name.");
    if (study.factors.empty())
        add(WizardStep::Factors, "Name at least one factor.");
    if (study.responses.empty())
        add(WizardStep::Responses, "Name at least one response.");
}

/// What the built-in workload would not do.
void addGaps(const study::Study& study, std::vector<WizardProblem>& problems)
{
    try {
        const auto gaps = run::findBuiltinGaps(study);
        for (const run::BuiltinGap& gap : gaps)
            problems.push_back({WizardStep::Measurement, asSentence(gap.why), false});
        if (!gaps.empty())
            problems.push_back({WizardStep::Measurement, tr("No run starts until that is changed."), false});
    } catch (const run::RecipeError& error) {
        problems.push_back({WizardStep::Measurement, asSentence(error.what()), false});
    }
}

/// Computed responses that will have no value.
void addUnknownNames(const study::Study& study, std::vector<WizardProblem>& problems)
{
    for (const study::Response& response : study.responses)
        if (const std::string gap = study::describeUnknownNames(study, response.name); !gap.empty())
            problems.push_back({WizardStep::Responses,
                                QString::fromStdString(response.name + ": " + gap) +
                                    (gap.ends_with('?') ? QString() : QStringLiteral(".")),
                                false});
}

void addUnmentioned(const study::Study& study, std::vector<WizardProblem>& problems)
{
    QStringList names;
    for (const std::string& name : run::unmentionedFactors(study))
        names << QString::fromStdString(name);
    if (names.isEmpty() || study.benchmark.argv.empty())
        return;
    const QString words = tr("The command does not mention %1. Write {%2} where its value goes, unless "
                             "the program reads the environment variable QUADRIC_SETTINGS.");
    problems.push_back({WizardStep::Measurement, words.arg(formatList(names), names.front()), false, true});
}

constexpr int kStepsWidth = 168;

} // namespace

QString problemWords(const study::Study& study, const study::Problem& problem)
{
    const QString where = QString::fromStdString(problem.where);
    static const QRegularExpression listed(QStringLiteral("^(\\w+)\\[(\\d+)\\]"));
    const auto match = listed.match(where);
    const QString list = match.captured(1);
    if (list == QStringLiteral("factors") || list == QStringLiteral("responses"))
        return asSentence(problem.message);
    if (const size_t index = match.captured(2).toULongLong();
        list == QStringLiteral("constraints") && index < study.constraints.size())
        return tr("Constraint %1: %2").arg(index + 1).arg(constraintProblem(study, study.constraints[index]));
    if (where.startsWith(QStringLiteral("fixed.")))
        return QStringLiteral("%1 %2.").arg(where.mid(6), QString::fromStdString(problem.message));
    return QStringLiteral("%1: %2").arg(where, QString::fromStdString(problem.message));
}

std::vector<WizardProblem> findWizardProblems(const study::Study& study)
{
    std::vector<WizardProblem> problems;
    addMissing(study, problems);
    for (const study::Problem& problem : study::validate(study)) {
        const bool isConstraint = problem.where.starts_with("constraints");
        problems.push_back({locateWizardStep(problem.where), problemWords(study, problem),
                            problem.isError || isConstraint, isConstraint});
    }
    addGaps(study, problems);
    addUnknownNames(study, problems);
    addUnmentioned(study, problems);
    std::ranges::stable_sort(problems, {}, &WizardProblem::step);
    return problems;
}

std::vector<CellProblem> cellProblems(const study::Study& study, const char* list,
                                      const std::map<QString, int>& columns, const SheetModel& sheet)
{
    static const QRegularExpression place(QStringLiteral("^(\\w+)\\[(\\d+)\\]\\.(\\w+)"));
    std::vector<CellProblem> found = sheet.refusals();
    const study::Study definition{
        .factors = study.factors, .fixed = study.fixed, .responses = study.responses}; // runs take time
    for (const study::Problem& problem : study::validate(definition)) {
        const auto match = place.match(QString::fromStdString(problem.where));
        const auto column = columns.find(match.captured(3));
        if (match.captured(1) == QLatin1String(list) && column != columns.end())
            found.push_back(
                {match.captured(2).toInt(), column->second, problemWords(study, problem), problem.isError});
    }
    return found;
}

QStringList inWords(const std::vector<CellProblem>& problems)
{
    QStringList words;
    for (const CellProblem& problem : problems)
        words << problem.words;
    return words;
}

WizardFrame::WizardFrame(QWidget* parent)
    : QWidget(parent)
    , m_steps(new QListWidget)
    , m_stack(new QStackedWidget)
    , m_title(titleLabel({}))
    , m_sentence(mutedLabel({}))
    , m_problem(new QLabel)
{
    nameWidget(m_steps, "wizardSteps", tr("Steps of the wizard"));
    m_steps->setFrameShape(QFrame::NoFrame);
    m_steps->setSpacing(kGap / 2);
    m_steps->setStyleSheet(QStringLiteral(
        "QListWidget { background: palette(alternate-base); padding: 16px 8px; outline: 0; }"
        "QListWidget::item { padding: 6px 8px; border-radius: 4px; color: palette(text); }"
        "QListWidget::item:selected { background: palette(highlight); color: palette(highlighted-text); }"));
    connect(m_steps, &QListWidget::currentRowChanged, this, &WizardFrame::showStep);
    nameWidget(m_problem, "wizardProblem", tr("Problem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);

    auto* content = new QVBoxLayout;
    content->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    content->setSpacing(kGroupGap);
    content->addWidget(buildHeader());
    content->addWidget(m_stack, 1);
    content->addWidget(m_problem);
    content->addLayout(buildButtons());
    auto* columns = marginless<QHBoxLayout>(this, 0);
    columns->addWidget(m_steps);
    columns->addLayout(content, 1);
}

void WizardFrame::addStep(const QString& name, const QString& sentence, const QString& help, QWidget* page)
{
    m_names << name;
    m_sentences << sentence;
    m_help << help;
    auto* scroll = scrollAreaFor(page); // for small screens
    scroll->setFocusPolicy(Qt::NoFocus);
    m_stack->addWidget(scroll);
    m_steps->addItem(QString());
    markStep(m_steps->count() - 1, Mark::None);
    m_steps->setFixedWidth(std::max(kStepsWidth, m_steps->sizeHintForColumn(0) + 4 * kGap));
}

void WizardFrame::setSentence(int step, const QString& sentence)
{
    m_sentences[step] = sentence;
    if (step == this->step())
        m_sentence->setText(sentence);
}

void WizardFrame::setFinishText(const QString& text)
{
    m_finish->setText(text);
}

QWidget* WizardFrame::buildHeader()
{
    auto* header = new QWidget;
    auto* layout = marginless<QVBoxLayout>(header);
    layout->setSpacing(kGap / 2);
    layout->addWidget(m_title);
    layout->addWidget(m_sentence);
    return header;
}

QLayout* WizardFrame::buildButtons()
{
    auto* cancel = quietButton(tr("Cancel"));
    auto* help = quietButton(tr("&Help"));
    m_back = quietButton(tr("&Back"));
    m_next = primaryButton(tr("Ne&xt"));
    m_finish = quietButton(tr("Create stud&y"));
    m_primaryStyle = m_next->styleSheet();
    m_quietStyle = m_finish->styleSheet();
    nameWidget(cancel, "wizardCancel", tr("Cancel"));
    nameWidget(help, "wizardHelp", tr("Help about this page"));
    nameWidget(m_back, "wizardBack", tr("Back"));
    nameWidget(m_next, "wizardNext", tr("Next"));
    nameWidget(m_finish, "wizardFinish", tr("Create study"));
    help->setToolTip(tr("What this page asks for (F1)"));
    connect(cancel, &QPushButton::clicked, this, &WizardFrame::cancelled);
    connect(help, &QPushButton::clicked, this, &WizardFrame::askForHelp);
    connect(new QShortcut(QKeySequence::HelpContents, this), &QShortcut::activated, this,
            &WizardFrame::askForHelp);
    connect(m_back, &QPushButton::clicked, this, [this] { setStep(step() - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { setStep(step() + 1); });
    connect(m_finish, &QPushButton::clicked, this, &WizardFrame::finished);
    const int height = m_next->sizeHint().height(); // the blue button has more room around its words
    for (QPushButton* button : {cancel, help, m_back, m_next, m_finish})
        button->setFixedHeight(height);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(cancel);
    row->addWidget(help);
    row->addStretch();
    row->addWidget(m_back);
    row->addWidget(m_next);
    row->addWidget(m_finish);
    return row;
}

void WizardFrame::setStep(int step)
{
    m_steps->setCurrentRow(step);
    showStep();
}

int WizardFrame::step() const
{
    return m_stack->currentIndex();
}

bool WizardFrame::isLastStep() const
{
    return step() + 1 == m_stack->count();
}

/// The focus goes to the page, unless the user is walking along the steps or the buttons.
void WizardFrame::showStep()
{
    const int row = std::max(0, m_steps->currentRow());
    const bool isWalking = m_steps->hasFocus() || m_back->hasFocus() || m_next->hasFocus();
    m_stack->setCurrentIndex(row);
    m_title->setText(m_names[row]);
    m_sentence->setText(m_sentences[row]);
    m_back->setEnabled(row > 0);
    m_next->setEnabled(!isLastStep());
    m_next->setStyleSheet(isLastStep() ? m_quietStyle : m_primaryStyle);
    m_finish->setStyleSheet(isLastStep() ? m_primaryStyle : m_quietStyle);
    QWidget* page = static_cast<QScrollArea*>(m_stack->currentWidget())->widget();
    const bool hasStart = page->isEnabled() && page->focusProxy();
    if (!isWalking || isLastStep())
        (hasStart ? page : isLastStep() ? m_finish : m_next)->setFocus();
    emit stepShown(row);
}

void WizardFrame::markStep(int step, Mark mark)
{
    const QString name = QStringLiteral("%1   %2").arg(step + 1).arg(m_names[step]);
    const QString sign = mark == Mark::Wrong     ? QStringLiteral("   ✗")
                         : mark == Mark::Missing ? QStringLiteral("   …")
                                                 : QString();
    m_steps->item(step)->setText(name + sign);
    m_steps->item(step)->setToolTip(mark == Mark::Wrong     ? tr("Something is wrong here.")
                                    : mark == Mark::Missing ? tr("Something is still missing here.")
                                                            : QString());
}

void WizardFrame::showProblems(const QStringList& lines, bool hasErrors)
{
    constexpr int kMostLines = 4;
    QStringList shown = lines.mid(0, kMostLines);
    if (lines.size() > kMostLines)
        shown.back() = tr("… and %1 more").arg(lines.size() - kMostLines + 1);
    QPalette colors = palette();
    if (hasErrors)
        colors.setColor(QPalette::WindowText, plotColors(colors).error);
    m_problem->setPalette(colors);
    m_problem->setText(shown.join(QLatin1Char('\n')));
    m_problem->setVisible(!lines.isEmpty());
}

void WizardFrame::allowNext(bool isAllowed)
{
    m_next->setEnabled(isAllowed && !isLastStep());
}

void WizardFrame::allowFinish(bool isAllowed, const QString& whyNot)
{
    m_finish->setEnabled(isAllowed);
    m_finish->setToolTip(isAllowed ? QString() : whyNot);
}

void WizardFrame::pressPrimary()
{
    (isLastStep() ? m_finish : m_next)->click();
}

} // namespace quadric::widgets
