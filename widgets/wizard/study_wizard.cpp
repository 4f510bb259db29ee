// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/study_wizard.h"

#include "core/design/base/design.h"
#include "core/study/run_records.h"
#include "core/templates/templates.h"
#include "widgets/base/style.h"
#include "widgets/base/window_size.h"
#include "widgets/design/words.h"
#include "widgets/wizard/factors_page.h"
#include "widgets/wizard/layout_page.h"
#include "widgets/wizard/measurement_page.h"
#include "widgets/wizard/question_page.h"
#include "widgets/wizard/responses_page.h"
#include "widgets/wizard/run_search.h"
#include "widgets/wizard/summary_page.h"

#include <QListWidget>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kStepsWidth = 152;
constexpr QSize kWizardSize(1040, 680);

bool hasResults(const study::Study& study)
{
    return std::any_of(study.runs.begin(), study.runs.end(), [](const auto& run) {
        return run.status != study::RunStatus::Pending || !run.results.empty();
    });
}

bool isAt(const study::Problem& problem, const QStringList& places)
{
    const QString where = QString::fromStdString(problem.where);
    return std::any_of(places.begin(), places.end(),
                       [&](const QString& place) { return where.startsWith(place); });
}

} // namespace

StudyWizard::StudyWizard(const run::Machine& machine, QWidget* parent)
    : QDialog(parent)
    , m_search(new RunSearch(this))
    , m_question(new QuestionPage(machine.cores))
    , m_layout(new LayoutPage)
    , m_measurement(new MeasurementPage)
    , m_steps(new QListWidget)
    , m_stack(new QStackedWidget)
    , m_title(titleLabel({}))
    , m_sentence(mutedLabel({}))
    , m_problem(new QLabel)
{
    setObjectName(QStringLiteral("studyWizard"));
    setWindowTitle(tr("New study"));
    resizeWithinScreen(*this, kWizardSize);
    addStep(tr("Question"), tr("What is the experiment for?"), m_question);
    addStep(tr("Factors"), tr("Which factors vary, and over which range?"), new FactorsPage);
    addStep(tr("Responses"), tr("What is measured, and what is the goal?"), new ResponsesPage);
    addStep(tr("Design"), tr("Which combinations are run?"), m_layout);
    connect(m_measurement, &MeasurementPage::testRequested, this, [this] { emit testRequested(m_study); });
    addStep(tr("Measurement"), tr("How is a run measured, and what is held fixed?"), m_measurement);
    addStep(tr("Summary"), tr("Check before you create the study."), new SummaryPage);

    auto* content = new QVBoxLayout;
    content->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    content->setSpacing(kGroupGap);
    content->addWidget(buildHeader());
    content->addWidget(m_stack, 1);
    content->addWidget(m_problem);
    content->addLayout(buildButtons());
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_steps);
    columns->addLayout(content, 1);
    connect(m_layout, &LayoutPage::stopRequested, this, &StudyWizard::stopSearch);
    connect(m_search, &RunSearch::progressed, m_layout, &LayoutPage::showSearch);
    connect(m_search, &RunSearch::found, this, &StudyWizard::endSearch);
    take(templates::studyFrom(templates::templates().front().name, machine.cores));
    setStep(WizardStep::Question);
}

void StudyWizard::setDevices(const run::TrainerDevices& devices)
{
    m_measurement->setDevices(devices);
}

/// A cell that is being typed into hands over its text when it goes; there is nobody left to take it.
StudyWizard::~StudyWizard()
{
    m_search->stop();
    m_steps->disconnect(this);
    for (WizardPage* page : m_pages)
        page->disconnect(this);
}

void StudyWizard::addStep(const QString& name, const QString& sentence, WizardPage* page)
{
    m_pages.push_back(page);
    m_sentences << sentence;
    auto* scroll = new QScrollArea; // for small screens
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    m_stack->addWidget(scroll);
    m_steps->addItem(QStringLiteral("%1   %2").arg(m_pages.size()).arg(name));
    m_steps->item(m_steps->count() - 1)->setData(Qt::UserRole, name);
    connect(page, &WizardPage::edited, this, &StudyWizard::take);
}

QWidget* StudyWizard::buildHeader()
{
    nameWidget(m_steps, "wizardSteps", tr("Steps of the wizard"));
    m_steps->setFixedWidth(kStepsWidth);
    m_steps->setFrameShape(QFrame::NoFrame);
    m_steps->setSpacing(kGap / 2);
    m_steps->setStyleSheet(QStringLiteral(
        "QListWidget { background: palette(alternate-base); padding: 16px 8px; outline: 0; }"
        "QListWidget::item { padding: 6px 8px; border-radius: 4px; color: palette(text); }"
        "QListWidget::item:selected { background: palette(highlight); color: palette(highlighted-text); }"));
    connect(m_steps, &QListWidget::currentRowChanged, this, &StudyWizard::showStep);
    nameWidget(m_problem, "wizardProblem", tr("Problem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);

    auto* header = new QWidget;
    auto* layout = new QVBoxLayout(header);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap / 2);
    layout->addWidget(m_title);
    layout->addWidget(m_sentence);
    return header;
}

QLayout* StudyWizard::buildButtons()
{
    auto* cancel = quietButton(tr("Cancel"));
    m_back = quietButton(tr("&Back"));
    m_next = quietButton(tr("Ne&xt"));
    m_finish = primaryButton(tr("Create stud&y"));
    nameWidget(cancel, "wizardCancel", tr("Cancel"));
    nameWidget(m_back, "wizardBack", tr("Back"));
    nameWidget(m_next, "wizardNext", tr("Next"));
    nameWidget(m_finish, "wizardFinish", tr("Create study"));
    for (QPushButton* button : {cancel, m_back, m_next, m_finish})
        button->setAutoDefault(false); // Enter belongs to the cell that is being typed into
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_back, &QPushButton::clicked, this,
            [this] { m_steps->setCurrentRow(m_steps->currentRow() - 1); });
    connect(m_next, &QPushButton::clicked, this,
            [this] { m_steps->setCurrentRow(m_steps->currentRow() + 1); });
    connect(m_finish, &QPushButton::clicked, this, &StudyWizard::finish);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(cancel);
    row->addStretch();
    row->addWidget(m_back);
    row->addWidget(m_next);
    row->addWidget(m_finish);
    return row;
}

void StudyWizard::startFrom(const study::Study& study)
{
    study::Study fresh = study;
    fresh.name = tr("%1, again").arg(QString::fromStdString(study.name)).toStdString();
    fresh.runs.clear();
    if (fresh.design.type.empty() || fresh.design.type == "custom")
        fresh.design.type = design::designTypes().front();
    m_question->hideTemplates();
    take(fresh);
}

void StudyWizard::editStudy(const study::Study& study)
{
    setWindowTitle(tr("Edit the study"));
    m_question->hideTemplates();
    m_isLocked = hasResults(study);
    if (m_isLocked) {
        const QString reason = tr("This study has results, so its factors and runs stay as they are. "
                                  "“New study like this one” in the menu Study starts afresh.");
        m_layout->lock(reason);
        m_pages[size_t(WizardStep::Factors)]->setEnabled(false);
        m_pages[size_t(WizardStep::Factors)]->setToolTip(reason);
        m_sentences[int(WizardStep::Factors)] = reason;
    }
    m_study = study;
    m_layoutProblem.clear();
    if (study.runs.empty())
        take(study);
    showStudy();
}

void StudyWizard::take(const study::Study& after)
{
    const bool hasNone = after.runs.empty() && !m_search->isBusy() && m_layoutProblem.isEmpty();
    const bool isNew = !m_isLocked && (hasNone || needsNewRuns(m_study, after));
    m_study = after;
    if (isNew)
        layOutRuns();
    showStudy();
}

void StudyWizard::takeRuns(const LaidOutRuns& laidOut)
{
    m_study.runs = laidOut.runs;
    m_study.baselines.clear();
    m_layoutProblem = laidOut.problem;
}

void StudyWizard::layOutRuns()
{
    m_study.runs.clear();
    m_layoutProblem.clear();
    const std::optional<LaidOutRuns> laidOut = m_search->start(m_study);
    if (laidOut)
        takeRuns(*laidOut);
    m_layout->showSearch(laidOut ? std::nullopt : std::optional(0.0));
}

void StudyWizard::endSearch(const LaidOutRuns& laidOut)
{
    m_layout->showSearch({});
    takeRuns(laidOut);
    showStudy();
}

void StudyWizard::stopSearch()
{
    m_search->stop();
    m_layout->showSearch({});
    m_layoutProblem = tr("The search was stopped, so there are no runs. Change an option to search again, or "
                         "choose another design.");
    showProblems();
}

void StudyWizard::showStudy()
{
    for (WizardPage* page : m_pages)
        page->setStudy(m_study);
    showProblems();
}

void StudyWizard::setStep(WizardStep step)
{
    m_steps->setCurrentRow(int(step));
    showStep();
}

WizardStep StudyWizard::step() const
{
    return static_cast<WizardStep>(m_stack->currentIndex());
}

void StudyWizard::showStep()
{
    const int row = std::max(0, m_steps->currentRow());
    m_stack->setCurrentIndex(row);
    m_title->setText(m_steps->item(row)->data(Qt::UserRole).toString());
    m_sentence->setText(m_sentences[row]);
    m_back->setEnabled(row > 0);
    m_next->setEnabled(row + 1 < m_steps->count());
    showProblems();
}

QStringList StudyWizard::problems() const
{
    QStringList found;
    for (const auto& problem : study::validate(m_study))
        if (problem.isError)
            found << problemWords(m_study, problem);
    if (m_search->isBusy())
        found << tr("The search for the design still goes on.");
    else if (!m_layoutProblem.isEmpty())
        found << m_layoutProblem;
    else if (m_study.runs.empty())
        found << tr("There are no runs.");
    return found;
}

void StudyWizard::showProblems()
{
    QStringList lines;
    const QStringList places = m_pages[size_t(m_stack->currentIndex())]->places();
    const bool isLast = m_stack->currentIndex() + 1 == m_stack->count();
    for (const auto& problem : study::validate(m_study))
        if (isAt(problem, places) || (isLast && problem.isError))
            lines << (problem.isError ? QStringLiteral("✗ ") : QStringLiteral("⚠ ")) +
                         problemWords(m_study, problem);
    if (const QString line = QStringLiteral("✗ ") + m_layoutProblem;
        !m_layoutProblem.isEmpty() && !lines.contains(line))
        lines << line;
    m_problem->setText(lines.mid(0, 4).join(QLatin1Char('\n')));
    m_problem->setVisible(!lines.isEmpty());
    m_finish->setEnabled(problems().isEmpty());
}

void StudyWizard::finish()
{
    setFocus(); // a cell that is still being typed into hands over its text
    if (problems().isEmpty())
        accept();
}

} // namespace quadric::widgets
