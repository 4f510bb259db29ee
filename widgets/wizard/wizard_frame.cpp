// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/wizard_frame.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QListWidget>
#include <QScrollArea>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kStepsWidth = 168;

} // namespace

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
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_steps);
    columns->addLayout(content, 1);
}

void WizardFrame::addStep(const QString& name, const QString& sentence, const QString& help, QWidget* page)
{
    m_names << name;
    m_sentences << sentence;
    m_help << help;
    auto* scroll = new QScrollArea; // for small screens
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
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
    auto* layout = new QVBoxLayout(header);
    layout->setContentsMargins(0, 0, 0, 0);
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
    showPrimary();
    QWidget* page = static_cast<QScrollArea*>(m_stack->currentWidget())->widget();
    const bool hasStart = page->isEnabled() && page->focusProxy();
    if (!isWalking || isLastStep())
        (hasStart ? page : isLastStep() ? m_finish : m_next)->setFocus();
    emit stepShown(row);
}

void WizardFrame::showPrimary()
{
    m_next->setStyleSheet(isLastStep() ? m_quietStyle : m_primaryStyle);
    m_finish->setStyleSheet(isLastStep() ? m_primaryStyle : m_quietStyle);
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

void WizardFrame::askForHelp()
{
    emit helpRequested(m_help[step()]);
}

void WizardFrame::pressPrimary()
{
    (isLastStep() ? m_finish : m_next)->click();
}

} // namespace quadric::widgets
