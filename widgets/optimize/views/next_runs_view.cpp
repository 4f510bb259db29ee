// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/next_runs_view.h"

#include "core/report/findings/answer_findings.h"
#include "core/report/tables/run_tables.h"
#include "core/run/follow/run_durations.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

QString triedText(const TriedRuns& tried, bool isRunning)
{
    const QString spent = TriedPanel::tr("%1 tried; %2 of %3 spent.")
                              .arg(formatCount(std::ssize(tried.reasons), "run"),
                                   QString::fromStdString(text::formatDuration(tried.spent)),
                                   QString::fromStdString(text::formatDuration(tried.budget)));
    if (isRunning && tried.end.isEmpty())
        return TriedPanel::tr("Going on by itself: %1").arg(spent);
    return tried.end.isEmpty() ? spent : spent + QLatin1Char(' ') + tried.end;
}

TriedPanel::TriedPanel(QWidget* parent)
    : QWidget(parent)
    , m_words(new SteadyLabel(1, this))
    , m_model(new TextTableModel(this))
    , m_table(new QTableView(this))
{
    m_words->setObjectName(QStringLiteral("triedText"));
    m_words->setGrowing(true);
    setUpTable(*m_table);
    m_table->setModel(m_model);
    nameWidget(m_table, "triedRuns", tr("Runs that were tried"));
    m_table->setTabKeyNavigation(false);
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addWidget(m_words);
    layout->addWidget(m_table, 1);
    hide();
}

void TriedPanel::showAnswer(const Answer& answer)
{
    setVisible(answer.tried != nullptr && !answer.tried->reasons.empty());
    if (isHidden())
        return;
    m_words->setText(triedText(*answer.tried, answer.context->isRunning));
    m_model->setTable(report::makeTriedTable(answer.study(), answer.tried->reasons,
                                             optimize::findBestSoFar(answer.study(), answer.fits())));
}

namespace {

constexpr int kRuns = 4;
constexpr int kMostRuns = 20;
constexpr int kMinutes = 20;
constexpr int kMostMinutes = 7 * 24 * 60;
constexpr double kMinute = 60.0;

constexpr int kByTime = 0; ///< place in the chooser

/// What a run has to gain: anything where a number was asked for.
double leastGainOf(bool isTimed)
{
    return isTimed ? optimize::PlanOptions{}.leastGain : optimize::kNoGain;
}

/// Those that gain most in that time; without a time at most so many.
optimize::RunPlan computeRunPlan(const Answer& asked, std::optional<double> seconds, int most,
                                 const std::stop_token& stop)
{
    optimize::PlanOptions options;
    options.search = asked.searchOptions();
    options.search.stop = stop;
    options.most = most;
    options.leastGain = leastGainOf(seconds.has_value());
    options.secondsOf = run::learnDurations(asked.study());
    if (options.secondsOf)
        options.seconds = seconds.value_or(0.0);
    return optimize::planRuns(asked.study(), model::fitProcesses(asked.study()), options);
}

} // namespace

NextRunsView::NextRunsView(QWidget* parent)
    : AnswerView(parent)
    , m_words(new SteadyLabel(1, this))
    , m_model(new TextTableModel(this))
    , m_table(new QTableView(this))
    , m_tried(new TriedPanel(this))
{
    setUpTable(*m_table);
    m_table->setModel(m_model);
    nameWidget(m_table, "nextRuns", tr("Suggested runs"));
    m_table->setTabKeyNavigation(false);
    m_words->setObjectName(QStringLiteral("nextRunsText"));
    m_words->setGrowing(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(makeChoice());
    layout->addWidget(m_words);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_tried, 2);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (index.row() < static_cast<int>(m_settings.size()))
            emit settingsPicked(m_settings[static_cast<std::size_t>(index.row())]);
    });
}

QLayout* NextRunsView::makeChoice()
{
    m_limit = new QComboBox(this);
    nameWidget(m_limit, "nextRunsFor", tr("What ends the list of further runs"));
    m_limit->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_limit->setMinimumContentsLength(12);
    m_limit->addItem(tr("the best result in a given time"));
    m_limit->addItem(tr("a number of runs"));
    auto* label = new QLabel(tr("Look for"), this);
    label->setBuddy(m_limit);
    auto* layout = new QHBoxLayout;
    layout->setSpacing(8);
    layout->addWidget(label);
    layout->addWidget(m_limit, 1);
    addCounts(*layout);
    addButtons(*layout);
    connect(m_limit, &QComboBox::activated, this, &NextRunsView::search);
    showButtons();
    return layout;
}

void NextRunsView::addCounts(QHBoxLayout& row)
{
    m_count = new QSpinBox(this);
    nameWidget(m_count, "nextRunsCount", tr("Number of further runs"));
    m_count->setRange(1, kMostRuns);
    m_count->setValue(kRuns);
    m_minutes = new QSpinBox(this);
    nameWidget(m_minutes, "nextRunsMinutes", tr("Time for further runs"));
    m_minutes->setToolTip(tr("How long further runs may take together, one after the other."));
    m_minutes->setRange(1, kMostMinutes);
    m_minutes->setValue(kMinutes);
    m_minutes->setSuffix(tr(" min"));
    for (QSpinBox* field : {m_count, m_minutes}) {
        row.addWidget(field);
        connect(field, &QSpinBox::valueChanged, this, &NextRunsView::search);
    }
}

void NextRunsView::addButtons(QHBoxLayout& row)
{
    m_add = new QPushButton(this);
    m_add->setObjectName(QStringLiteral("addNextRuns"));
    m_add->setToolTip(tr("Adds these runs to the study, to wait for the next start."));
    m_go = new QPushButton(this);
    m_go->setObjectName(QStringLiteral("goOn"));
    m_go->setToolTip(
        tr("Runs the best one, refits and asks again, until the time is spent or no run is expected "
           "to gain enough; then confirms the best settings with 3 runs. A run ends early where its "
           "setting is surely worse than the best. It goes on when the window is closed."));
    row.addWidget(m_add);
    row.addWidget(m_go);
    connect(m_add, &QPushButton::clicked, this, [this] { emit runsRequested(m_settings); });
    connect(m_go, &QPushButton::clicked, this, [this] {
        if (m_answer.context && m_answer.context->isRunning)
            emit stopRequested();
        else
            emit goOnRequested(m_minutes->value() * kMinute);
    });
}

bool NextRunsView::isTimed() const
{
    return m_limit->currentIndex() == kByTime;
}

void NextRunsView::showAnswer(const Answer& answer, Change change)
{
    m_answer = answer;
    m_isStale = m_isStale || change >= Change::Goals;
    if (m_isStale)
        answer.context->isRunning ? wait() : search();
    m_tried->showAnswer(answer);
    showButtons();
}

void NextRunsView::forget(const QString& words)
{
    m_settings.clear();
    m_model->setTable(TextTable());
    m_words->setText(words);
    showButtons();
    m_job.cancel();
}

/// A search beside a run on the same machine would disturb what is measured.
void NextRunsView::wait()
{
    forget(tr("Suggested runs follow when all measurements are finished."));
}

void NextRunsView::search()
{
    forget(tr("Searching for suggested runs …"));
    if (!m_answer.context)
        return;
    m_isStale = false;
    const auto seconds = isTimed() ? std::optional(m_minutes->value() * kMinute) : std::nullopt;
    startSearch(
        m_job,
        [asked = m_answer, seconds, most = seconds ? kMostRuns : m_count->value()](
            const std::stop_token& stop) { return computeRunPlan(asked, seconds, most, stop); },
        [this](const optimize::RunPlan& plan) { showPlan(plan); });
}

/// What a plan says beside its table.
QString NextRunsView::describe(const optimize::RunPlan& plan) const
{
    const QString time =
        plan.seconds > 0.0 || isTimed() ? QString::fromStdString(report::describePlanTime(plan)) : QString();
    if (!isTimed() && plan.isOk() && !plan.hasConverged)
        return time;
    const QString end = std::ssize(plan.runs) == kMostRuns
                            ? tr("More runs may gain; these are the first ones.")
                            : QString::fromStdString(report::describePlanEnd(plan, leastGainOf(isTimed())));
    return plan.runs.empty() ? end : time + QLatin1Char(' ') + end;
}

void NextRunsView::showPlan(const optimize::RunPlan& plan)
{
    m_settings.clear();
    for (const optimize::PlannedRun& run : plan.runs)
        m_settings.push_back(run.settings);
    m_words->setText(describe(plan));
    m_model->setTable(report::makePlanTable(m_answer.study(), plan));
    showButtons();
}

void NextRunsView::showButtons()
{
    const auto count = static_cast<int>(m_settings.size());
    const bool isRunning = m_answer.context && m_answer.context->isRunning;
    const bool isTyped = m_answer.context && m_answer.study().benchmark.workload == "none";
    m_table->setVisible(!isRunning || m_tried->isHidden()); // what is proposed meanwhile is tried anyway
    m_count->setVisible(!isTimed());
    m_minutes->setVisible(isTimed());
    m_add->setText(isTimed() && count == 0
                       ? tr("&Add to the study")
                       : tr("&Add %1").arg(formatCount(count == 0 ? m_count->value() : count, "run")));
    m_add->setEnabled(count > 0 && m_answer.context && !isRunning);
    m_go->setVisible(isTimed() && !isTyped);
    m_go->setText(isRunning ? tr("&Stop") : tr("&Go on by itself"));
    m_go->setEnabled(m_answer.context != nullptr);
}

} // namespace quadric::widgets
