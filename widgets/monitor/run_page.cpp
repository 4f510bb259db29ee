// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_page.h"

#include "core/study/run_records.h"
#include "widgets/base/banner.h"
#include "widgets/base/empty_state.h"
#include "widgets/monitor/baseline_chooser.h"
#include "widgets/monitor/run_actions.h"
#include "widgets/monitor/run_bar.h"
#include "widgets/monitor/run_details.h"
#include "widgets/monitor/run_table_model.h"
#include "widgets/monitor/status_delegate.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/wording.h"

#include <QHeaderView>
#include <QMenu>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kTickMs = 1000; ///< elapsed times go on

} // namespace

struct RunPage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    Banner* problem = nullptr;
    RunBar* bar = nullptr;
    RunTableModel* model = nullptr;
    QTableView* table = nullptr;
    RunDetails* details = nullptr;
    QTimer* tick = nullptr;
    ContextPointer context;
    std::vector<study::Run> baselines; ///< of the context's study
    run::RunnerNews news;
    BarState barState;
    int pickedRun = -1;
    int shownRun = -1;

    QWidget* makeViews(RunPage& page);
    QWidget* makeTable(RunPage& page);
    int runToShow() const;
    const study::Run* run(int id) const;
    void placeDelegate(RunPage& page, int formerColumn);
};

const study::Run* RunPage::Parts::run(int id) const
{
    const auto baseline = std::ranges::find(baselines, id, &study::Run::id);
    if (baseline != baselines.end())
        return &*baseline;
    return context ? study::findRun(context->study, id) : nullptr;
}

QWidget* RunPage::Parts::makeTable(RunPage& page)
{
    model = new RunTableModel(&page);
    table = new QTableView;
    setUpTable(*table);
    table->setModel(model);
    table->setAccessibleName(tr("Runs"));
    table->horizontalHeader()->setStretchLastSection(true);
    table->verticalHeader()->setDefaultSectionSize(28);
    table->setContextMenuPolicy(Qt::CustomContextMenu);
    table->setMinimumHeight(120);
    return table;
}

QWidget* RunPage::Parts::makeViews(RunPage& page)
{
    auto* split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(16);
    split->addWidget(makeTable(page));
    split->addWidget(details = new RunDetails);
    split->setSizes({1000, 1200});
    auto* views = new QWidget;
    auto* layout = new QVBoxLayout(views);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addWidget(problem = new Banner);
    layout->addWidget(bar = new RunBar);
    layout->addWidget(split, 1);
    return views;
}

/// The picked run; without one the run in progress.
int RunPage::Parts::runToShow() const
{
    if (pickedRun >= 0)
        return pickedRun;
    if (!news.active.empty())
        return news.active.begin()->first;
    return shownRun;
}

void RunPage::Parts::placeDelegate(RunPage& page, int formerColumn)
{
    table->setItemDelegateForColumn(formerColumn, nullptr);
    table->setItemDelegateForColumn(model->statusColumn(), new StatusDelegate(&page));
}

RunPage::RunPage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->empty = new EmptyState;
    m_parts->empty->setTexts(tr("This study has no runs yet"),
                             tr("A design says which settings are measured, and in which order."),
                             tr("Go to Design"));
    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(m_parts->empty);
    m_parts->stack->addWidget(m_parts->makeViews(*this));
    m_parts->problem->setObjectName(QStringLiteral("problem"));
    m_parts->problem->setTone(Banner::Tone::Warning, QStringLiteral("!"));
    m_parts->problem->hide();
    m_parts->placeDelegate(*this, m_parts->model->statusColumn());
    m_parts->tick = new QTimer(this);
    m_parts->tick->setInterval(kTickMs);
    wire();
    wireActions();
}

RunPage::~RunPage() = default;

void RunPage::wire()
{
    connect(m_parts->empty, &EmptyState::buttonClicked, this, [this] { emit stepRequested(Step::Design); });
    connect(m_parts->tick, &QTimer::timeout, m_parts->model, &RunTableModel::refreshTimes);
    connect(m_parts->bar, &RunBar::startRequested, this, &RunPage::startRequested);
    connect(m_parts->bar, &RunBar::stopRequested, this, &RunPage::stopRequested);
    connect(m_parts->bar, &RunBar::pauseRequested, this,
            [this] { emit controlRequested({run::ControlAction::Pause}); });
    connect(m_parts->bar, &RunBar::resumeRequested, this,
            [this] { emit controlRequested({run::ControlAction::Resume}); });
    connect(m_parts->bar, &RunBar::parallelChosen, this, [this](int runs) {
        study::Study changed = m_parts->context->study;
        changed.benchmark.parallel = runs;
        emit changeRequested(changed, runs == 1 ? tr("One run at a time") : tr("%1 runs at once").arg(runs),
                             QStringLiteral("parallel"));
    });
    connect(m_parts->bar, &RunBar::baselineChosen, this, [this](study::BaselineMode mode) {
        study::Study changed = m_parts->context->study;
        changed.benchmark.baseline = mode;
        emit changeRequested(changed, labelOf(mode), {});
    });
    connect(m_parts->model, &RunTableModel::resultTyped, this, &RunPage::requestResult);
    connect(m_parts->table, &QWidget::customContextMenuRequested, this, &RunPage::showMenu);
    connect(m_parts->table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const int run = current.isValid() ? current.data(RunTableModel::RunIdRole).toInt() : -1;
                if (run == m_parts->pickedRun)
                    return;
                pickRun(run);
                emit runPicked(run);
            });
}

void RunPage::wireActions()
{
    RunActions* actions = m_parts->details->actions();
    connect(actions, &RunActions::controlRequested, this, &RunPage::controlRequested);
    connect(actions, &RunActions::measureAgainRequested, this,
            [this](int id) { requestRuns({id}, tr("Run %1 again").arg(id), makePending); });
    connect(actions, &RunActions::leaveOutRequested, this, [this](int id) {
        requestRuns({id}, tr("Leave out run %1").arg(id), [](study::Run& run) {
            run.status = study::RunStatus::Excluded;
            run.reason = "by hand";
        });
    });
    connect(actions, &RunActions::putBackRequested, this, [this](int id) {
        requestRuns({id}, tr("Put back run %1").arg(id), [](study::Run& run) {
            run.status = run.results.empty() ? study::RunStatus::Pending : study::RunStatus::Done;
            run.reason.clear();
        });
    });
    connect(m_parts->details, &RunDetails::repeatRequested, this, &RunPage::requestRepeats);
}

void RunPage::setContext(ContextPointer context)
{
    m_parts->context = std::move(context);
    const StudyContext& now = *m_parts->context;
    m_parts->baselines = now.study.baselines;
    m_parts->stack->setCurrentIndex(now.study.runs.empty() ? 0 : 1);
    const int statusColumn = m_parts->model->statusColumn();
    m_parts->model->setStudy(now.study);
    if (statusColumn != m_parts->model->statusColumn())
        m_parts->placeDelegate(*this, statusColumn);
    if (now.isRunning) {
        m_parts->barState.message.clear();
        m_parts->tick->start();
    } else {
        m_parts->tick->stop();
        m_parts->news = {};
        m_parts->model->setNews({});
    }
    m_parts->barState.isRunning = now.isRunning;
    m_parts->details->setContext(now);
    showBar();
    showShownRun();
}

void RunPage::showBar()
{
    m_parts->barState.isPaused = m_parts->news.isPaused;
    m_parts->barState.remaining = m_parts->news.remaining;
    if (m_parts->context)
        m_parts->bar->show(m_parts->context->study, m_parts->barState);
}

/// Details of the run that should be shown now; its files are asked for when it is another one than before.
void RunPage::showShownRun()
{
    const int id = m_parts->runToShow();
    const study::Run* run = m_parts->run(id);
    m_parts->details->actions()->setRun(run, m_parts->barState.isRunning, m_parts->news);
    if (id == m_parts->shownRun) {
        m_parts->details->updateRun(run);
        return;
    }
    m_parts->shownRun = id;
    m_parts->table->scrollTo(m_parts->model->index(m_parts->model->rowOf(id), 0));
    m_parts->details->setRun(run);
    emit watchRequested(id);
}

void RunPage::requestResult(int runId, const QString& response, std::optional<double> value)
{
    study::Study after = m_parts->context->study;
    study::Run* run = study::findRun(after, runId);
    if (run == nullptr)
        return;
    const std::string name = response.toStdString();
    if (value)
        run->results[name] = *value;
    else
        run->results.erase(name);
    const bool isComplete = std::all_of(after.responses.begin(), after.responses.end(),
                                        [run](const auto& each) { return run->results.contains(each.name); });
    run->status = isComplete ? study::RunStatus::Done : study::RunStatus::Pending;
    run->provenance.source = run->results.empty() ? study::Source::Unknown : study::Source::Typed;
    emit changeRequested(after, tr("Type %1 of run %2").arg(nameText(name)).arg(runId),
                         QStringLiteral("typed:%1:%2").arg(runId).arg(response));
}

void RunPage::showMenu(const QPoint& position)
{
    const QModelIndex index = m_parts->table->indexAt(position);
    if (!index.isValid() || !m_parts->context)
        return;
    m_parts->table->setCurrentIndex(index);
    QMenu menu(this);
    m_parts->details->actions()->fill(menu);
    if (!menu.isEmpty())
        menu.exec(m_parts->table->viewport()->mapToGlobal(position));
}

void RunPage::requestRuns(const std::vector<int>& ids, const QString& label,
                          const std::function<void(study::Run&)>& change)
{
    study::Study after = m_parts->context->study;
    for (const int id : ids) {
        if (study::Run* run = study::findRun(after, id))
            change(*run);
    }
    emit changeRequested(after, label, {});
}

void RunPage::requestRepeats(const std::vector<int>& ids)
{
    if (!m_parts->barState.isRunning) {
        requestRuns(ids, tr("Repeat disturbed runs"), makePending);
        return;
    }
    for (const int id : ids)
        emit controlRequested({run::ControlAction::Retry, id});
}

void RunPage::showNews(const run::RunnerNews& news)
{
    m_parts->news = news;
    m_parts->model->setNews(news);
    showBar();
    showShownRun();
}

void RunPage::showSamples(int run, const run::RunSamples& samples, bool isStart)
{
    if (run == m_parts->shownRun)
        m_parts->details->takeSamples(samples, isStart);
}

void RunPage::showLog(int run, const QString& text, bool isStart)
{
    if (run == m_parts->shownRun)
        m_parts->details->takeLog(text, isStart);
}

void RunPage::showProblem(const QString& problem)
{
    m_parts->problem->setWords(problem);
    m_parts->problem->setVisible(!problem.isEmpty());
}

void RunPage::showMessage(const QString& message)
{
    m_parts->barState.message = message;
    showBar();
}

void RunPage::pickRun(int run)
{
    m_parts->pickedRun = run;
    const int row = m_parts->model->rowOf(run);
    if (row >= 0)
        m_parts->table->setCurrentIndex(m_parts->model->index(row, 0));
    else
        m_parts->table->clearSelection();
    showShownRun();
}

} // namespace quadric::widgets
