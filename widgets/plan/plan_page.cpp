// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_page.h"

#include "core/plan/jobs.h"
#include "widgets/base/page.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"
#include "widgets/plan/deadline_view.h"
#include "widgets/plan/queue_view.h"
#include "widgets/plan/scaling_view.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/view_kind.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr const char* kUsualAmount = "000 000 000"; ///< which has room while another is typed
constexpr int kFieldMargins = 8;                    ///< that a field keeps beside its text
constexpr int kWidestChooser = 18;                  ///< in heights of a line of text

} // namespace

WorkBar::WorkBar(QWidget* parent)
    : QWidget(parent)
{
    auto* row = marginless<QHBoxLayout>(this, kGap);
    m_response = addLabeledChooser(*row, tr("Response"), this);
    m_response->setObjectName(QStringLiteral("planResponse"));
    m_response->setMaximumWidth(kWidestChooser * fontMetrics().height());
    m_response->setToolTip(tr("The time or the speed that says how long the work takes."));
    m_kind = new QComboBox(this);
    nameWidget(m_kind, "planKind", tr("What the time is of"));
    m_kind->setToolTip(
        tr("What the time is of: all of the work, or a unit of it, such as an epoch or a step."));
    m_kind->addItem(tr("is the time of all work"));
    m_kind->addItem(tr("is the time of a unit of work"));
    row->addWidget(m_kind);
    m_amount = addField(tr("Amount of work"), tr("How many images, tokens, epochs or steps are to be done."),
                        QString::fromLatin1(kUsualAmount));
    m_amountName = findChild<QLabel*>(tr("Amount of work"));
    m_fixed = addField(tr("Fixed time"),
                       tr("Time before and after what is measured: start-up, loading, checkpoints."),
                       QStringLiteral("00 min 00 s"));
    row->addStretch(0); // has what the chooser leaves
    m_amount->setTaker([this](const QString& typed) { return commitAmount(typed); });
    m_fixed->setTaker([this](const QString& typed) { return commitFixedTime(typed); });
    connect(m_response, &QComboBox::activated, this, [this] {
        plan::PlanChoices choices = m_source.choices;
        choices.response = m_response->currentData().toString().toStdString();
        choices.amount.reset();
        emit choicesChanged(choices, tr("Response that is planned with"));
    });
    connect(m_kind, &QComboBox::activated, this, [this] {
        plan::PlanChoices choices = m_source.choices;
        choices.isPerUnit = m_kind->currentIndex() == 1;
        emit choicesChanged(choices, tr("What the time is of"));
    });
}

ValueField* WorkBar::addField(const QString& name, const QString& tooltip, const QString& widest)
{
    auto* caption = new QLabel(name, this);
    caption->setObjectName(name);
    auto* field = new ValueField(this);
    field->setAccessibleName(name);
    field->setToolTip(tooltip + QLatin1Char(' ') + field->toolTip());
    field->setFixedWidth(computeFieldWidth(widest));
    caption->setBuddy(field);
    layout()->addWidget(caption);
    layout()->addWidget(field);
    return field;
}

int WorkBar::computeFieldWidth(const QString& text) const
{
    return fontMetrics().horizontalAdvance(text) + kFieldMargins;
}

QString WorkBar::commitAmount(const QString& typed)
{
    const auto amount = parseQuantity(typed, amountUnit(*m_source.fit()).toStdString());
    if (!amount || !(*amount > 0.0))
        return tr("expected a number above 0");
    plan::PlanChoices choices = m_source.choices;
    choices.amount = *amount;
    emit choicesChanged(choices, tr("Amount of work"));
    return {};
}

QString WorkBar::commitFixedTime(const QString& typed)
{
    const auto seconds = plan::readSpan(typed.simplified().toStdString());
    if (!seconds)
        return tr("expected a time such as 90 s, 5 min or 1 h");
    plan::PlanChoices choices = m_source.choices;
    choices.fixedSeconds = *seconds;
    emit choicesChanged(choices, tr("Fixed time"));
    return {};
}

void WorkBar::fillChoosers()
{
    const QSignalBlocker quiet(m_response), quietToo(m_kind);
    m_response->clear();
    for (const model::Fit& fit : m_source.context->fits)
        if (plan::hasTimeUnit(fit))
            m_response->addItem(nameWithUnit(fit.response, fit.unit), QString::fromStdString(fit.response));
    m_response->setCurrentIndex(m_response->findData(QString::fromStdString(m_source.fit()->response)));
    m_kind->setCurrentIndex(m_source.choices.isPerUnit ? 1 : 0);
}

void WorkBar::showWork(const PlanSource& source)
{
    m_source = source;
    if (m_source.fit() == nullptr)
        return;
    fillChoosers();
    const plan::Work work = plan::chosenWork(*m_source.fit(), m_source.choices);
    m_kind->setVisible(work.kind != plan::WorkKind::Speed);
    m_amountName->setVisible(work.kind != plan::WorkKind::Whole);
    m_amount->setVisible(work.kind != plan::WorkKind::Whole);
    const QString amount = amountText(*m_source.fit(), work.amount);
    m_amount->setFixedWidth(
        std::max(computeFieldWidth(amount), computeFieldWidth(QString::fromLatin1(kUsualAmount))));
    m_amount->setValue(amount, formatNumber(work.amount));
    const QString fixed = work.fixedSeconds > 0.0 ? formatDuration(work.fixedSeconds) : QStringLiteral("0 s");
    m_fixed->setValue(fixed, fixed);
}

PlanPage::PlanPage(QWidget* parent)
    : Page(parent)
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyState)
{
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeViews());
    reserveRoomForViews(false);
    showEmpty();
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        const ContextPointer& context = m_session.source().context;
        const bool hasModel = context && std::ranges::any_of(context->fits, &model::Fit::isOk);
        const bool hasRuns = context && !context->study.runs.empty();
        emit stepRequested(hasRuns && !hasModel ? Step::Run : Step::Design);
    });
    connect(&m_session, &PlanSession::changed, this, &PlanPage::refresh);
    connect(&m_session, &PlanSession::changeRequested, this, &Page::changeRequested);
}

/// Views that are not shown must not make the page wide.
void PlanPage::reserveRoomForViews(bool areShown)
{
    const auto policy = areShown ? QSizePolicy::Preferred : QSizePolicy::Ignored;
    m_stack->widget(1)->setSizePolicy(policy, policy);
}

QWidget* PlanPage::makeViews()
{
    auto* all = new QWidget;
    m_work = new WorkBar;
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->tabBar()->setAccessibleName(tr("Questions"));
    for (const PlanViewRow& row : planViews()) {
        PlanView* view = row.make();
        markView(*view, row.id);
        if (Plot* plot = view->plot())
            describePlot(*plot, row);
        m_tabs->setTabToolTip(m_tabs->addTab(view, row.tabText()), viewSummary(row));
        connect(view, &PlanView::choicesChanged, &m_session, &PlanSession::choose);
        m_views.push_back(view);
        m_isOld.push_back(true);
    }
    auto* about = new QToolButton;
    about->setText(QStringLiteral("?"));
    about->setAutoRaise(true);
    about->setFocusPolicy(Qt::StrongFocus);
    about->setAccessibleName(tr("What is this?"));
    about->setToolTip(tr("What is this? (F1)"));
    m_tabs->setCornerWidget(about);
    connect(about, &QToolButton::clicked, this, &PlanPage::explain);
    connect(m_tabs, &QTabWidget::currentChanged, this, &PlanPage::showCurrent);
    connect(m_work, &WorkBar::choicesChanged, &m_session, &PlanSession::choose);
    auto* layout = new QVBoxLayout(all);
    layout->setContentsMargins(kGroupGap, kGroupGap, kGroupGap, kGroupGap);
    layout->setSpacing(kGap);
    layout->addWidget(m_work);
    layout->addWidget(m_tabs, 1);
    return all;
}

void PlanPage::refresh()
{
    const PlanSource& source = m_session.source();
    m_stack->setCurrentIndex(source.isReady() ? 1 : 0);
    reserveRoomForViews(source.isReady());
    if (!source.isReady())
        return showEmpty();
    m_work->showWork(source);
    m_isOld.assign(m_isOld.size(), true);
    showCurrent();
}

void PlanPage::showCurrent()
{
    const auto index = static_cast<std::size_t>(std::max(0, m_tabs->currentIndex()));
    const PlanSource& source = m_session.source();
    if (index >= m_views.size() || !m_isOld[index] || !source.isReady())
        return;
    m_isOld[index] = false;
    if (Plot* plot = m_views[index]->plot()) {
        plot->setSimulated(study::hasSimulatedResults(source.study()));
        plot->setSource({nameText(source.study().name), {}});
    }
    m_views[index]->showPlan(source);
}

void PlanPage::explain()
{
    if (const auto* kind = findView(planViews(), viewShownBy(m_tabs->currentWidget())))
        showAbout(this, aboutView(*kind));
}

void PlanPage::showEmpty()
{
    const PlanSource& source = m_session.source();
    if (!source.context || source.study().runs.empty())
        return m_empty->setTexts(tr("Nothing to plan with yet"),
                                 tr("This study has no runs yet. Lay out a design first."),
                                 tr("Go to Design"));
    const auto& fits = source.context->fits;
    if (std::ranges::none_of(fits, &model::Fit::isOk))
        return m_empty->setTexts(tr("Nothing to plan with yet"),
                                 fits.empty() ? tr("No run is finished yet.")
                                              : QString::fromStdString(fits.front().message),
                                 tr("Go to Run"));
    m_empty->setTexts(tr("No response tells how long the work takes"),
                      source.problem.empty()
                          ? tr("A plan needs a response with a model that is a time (s, min, h) or a speed "
                               "(img/s), and more runs than the model has terms.")
                          : QString::fromStdString(source.problem),
                      tr("Go to Design"));
}

namespace {

template <typename View> PlanView* makePlanView()
{
    return new View;
}

PlanViewRow planTab(const char* id, const QString& title, PlanView* (*make)(), const QString& tab)
{
    PlanViewRow row{{id, title, "plan", ViewSubject::Study, 0}, make, [make](const PlanSource& source) {
                        const std::shared_ptr<PlanView> view(make());
                        view->showWhole(source);
                        return plotOf(view);
                    }};
    row.tab = tab;
    return row;
}

} // namespace

const std::vector<PlanViewRow>& planViews()
{
    static const std::vector<PlanViewRow> views{
        planTab("deadline", tr("Probability of being done in time"), &makePlanView<DeadlineView>,
                tr("Deadline")),
        planTab("queue", tr("Mean response of one fast and of several slow machines"),
                &makePlanView<QueueView>, tr("Queue")),
        planTab("scaling", tr("Speed of larger clusters"), &makePlanView<ScalingView>, tr("Scale")),
        planTab("cost", tr("Cost of a run"), &makeCostView, tr("Cost"))};
    return views;
}

std::vector<PlanAnswer> planAnswers(const PlanSource& source)
{
    std::vector<PlanAnswer> answers;
    if (!source.isReady())
        return answers;
    const std::vector<std::string> asked = plan::askedQuestions(source.choices);
    for (const PlanViewRow& row : planViews()) {
        if (std::ranges::count(asked, row.id) == 0)
            continue;
        const std::shared_ptr<PlanView> view(row.make());
        view->showWhole(source);
        answers.push_back({row.title, view->sentence(), view->remark(), plotOf(view), view->tables()});
    }
    return answers;
}

QString describeWork(const PlanSource& source)
{
    const model::Fit& fit = *source.fit();
    const plan::Work work = plan::chosenWork(fit, source.choices);
    const QString name = nameText(fit.response);
    const QString text = work.kind == plan::WorkKind::Whole
                             ? tr("One run, whose time is %1.").arg(name)
                             : tr("One run of %1, timed by %2.").arg(amountText(fit, work.amount), name);
    return work.fixedSeconds > 0.0
               ? text + tr(" Fixed time on top: %1.").arg(formatDuration(work.fixedSeconds))
               : text;
}

} // namespace quadric::widgets
