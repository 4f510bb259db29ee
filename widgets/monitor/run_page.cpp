// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_page.h"

#include "core/study/run_records.h"
#include "widgets/monitor/run_actions.h"
#include "widgets/monitor/run_bar.h"
#include "widgets/monitor/run_details.h"
#include "widgets/monitor/run_table.h"

#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

void RunFocus::expectStartedRun()
{
    m_lastEnded = -1;
    m_isStarting = true;
}

void RunFocus::updateFocusFromNews(const run::RunnerNews& news)
{
    if (!news.active.empty())
        m_lastEnded = -1;
}

void RunFocus::recordLastEnded(const study::Study& before, const study::Study& after)
{
    if (before.runs.size() != after.runs.size())
        return;
    const auto hasEnded = [](const study::Run& run) {
        return run.status == study::RunStatus::Done || run.status == study::RunStatus::Failed;
    };
    for (std::size_t i = 0; i < after.runs.size(); ++i) {
        if (hasEnded(after.runs[i]) && !hasEnded(before.runs[i]))
            m_lastEnded = after.runs[i].id;
    }
}

int RunFocus::runToShow(const run::RunnerNews& news, int shown) const
{
    if (m_picked >= 0)
        return m_picked;
    if (!news.active.empty())
        return news.active.contains(shown) ? shown : news.active.begin()->first;
    return m_lastEnded >= 0 ? m_lastEnded : shown;
}

namespace {

constexpr int kTickMs = 1000; ///< elapsed times go on

} // namespace

struct RunPage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    EntrySheet* entry = nullptr; ///< null before there is a study that needs it
    Banner* problem = nullptr;
    RunBar* bar = nullptr;
    MessageBar* messages = nullptr;
    RunTableView* table = nullptr;
    RunDetails* details = nullptr;
    QTimer* tick = nullptr;
    PickedRuns lit; ///< as told, or as heard
    ContextPointer context;
    std::vector<study::Run> baselines; ///< of the context's study
    run::RunnerNews news;
    BarState barState;
    MessageState messageState;
    RunFocus focus;
    int shownRun = -1;
    std::vector<int> compared; ///< runs that were asked for

    QWidget* makeViews();
    const study::Run* run(int id) const;
    std::vector<const study::Run*> selectedRuns() const;
};

const study::Run* RunPage::Parts::run(int id) const
{
    const auto baseline = std::ranges::find(baselines, id, &study::Run::id);
    if (baseline != baselines.end())
        return &*baseline;
    return context ? study::findRun(context->study, id) : nullptr;
}

std::vector<const study::Run*> RunPage::Parts::selectedRuns() const
{
    std::vector<const study::Run*> runs;
    for (const int id : table->selectedRuns()) {
        if (const study::Run* each = run(id))
            runs.push_back(each);
    }
    return runs;
}

QWidget* RunPage::Parts::makeViews()
{
    auto* split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(16);
    split->addWidget(table = new RunTableView);
    split->addWidget(details = new RunDetails);
    split->setSizes({1000, 1200});
    auto* views = new QWidget;
    auto* layout = new QVBoxLayout(views);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addWidget(problem = new Banner);
    layout->addWidget(bar = new RunBar);
    layout->addWidget(messages = new MessageBar); // below the button, which stays where it is
    layout->addWidget(split, 1);
    return views;
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
    m_parts->stack->addWidget(m_parts->makeViews());
    m_parts->problem->setObjectName(QStringLiteral("problem"));
    m_parts->problem->setTone(Banner::Tone::Warning, QStringLiteral("!"));
    m_parts->problem->hide();
    m_parts->tick = new QTimer(this);
    m_parts->tick->setInterval(kTickMs);
    wire();
    wireActions();
    wireMessages();
}

RunPage::~RunPage() = default;

void RunPage::wire()
{
    connect(m_parts->empty, &EmptyState::buttonClicked, this, [this] { emit stepRequested(Step::Design); });
    connect(m_parts->tick, &QTimer::timeout, m_parts->table->runs(), &RunTableModel::refreshTimes);
    connect(m_parts->bar, &RunBar::startRequested, this, &RunPage::start);
    connect(m_parts->bar, &RunBar::resultsRequested, this, [this] { emit stepRequested(Step::Explore); });
    connect(m_parts->bar, &RunBar::stopRequested, this, &RunPage::stopRequested);
    connect(m_parts->bar, &RunBar::pauseRequested, this,
            [this] { emit controlRequested({run::ControlAction::Pause}); });
    connect(m_parts->bar, &RunBar::resumeRequested, this,
            [this] { emit controlRequested({run::ControlAction::Resume}); });
    connect(m_parts->bar, &RunBar::parallelChosen, this,
            [this](int runs) { request(makeParallel(m_parts->context->study, runs)); });
    connect(m_parts->bar, &RunBar::baselineChosen, this,
            [this](study::BaselineMode mode) { request(makeBaselineMode(m_parts->context->study, mode)); });
    connect(m_parts->table, &QWidget::customContextMenuRequested, this, &RunPage::showMenu);
    connect(m_parts->table, &RunTableView::picked, this, &RunPage::pickFromTable);
    auto* find = new QShortcut(QKeySequence::Find, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_parts->details, &RunDetails::searchLog);
}

void RunPage::wireMessages()
{
    connect(m_parts->messages, &MessageBar::goOnRequested, this,
            [this] { emit controlRequested({run::ControlAction::Resume}); });
    connect(m_parts->messages, &MessageBar::stopRequested, this, &RunPage::stopRequested);
    connect(m_parts->messages, &MessageBar::startRequested, this, &RunPage::start);
    connect(m_parts->messages, &MessageBar::editRequested, this, &RunPage::editRequested);
    connect(m_parts->messages, &MessageBar::retryRequested, this, &RunPage::retry);
}

/// A study whose results are typed has nothing else on this page.
void RunPage::showEntry()
{
    if (!m_parts->entry) {
        m_parts->entry = new EntrySheet;
        m_parts->stack->addWidget(m_parts->entry);
        connect(m_parts->entry, &EntrySheet::changeRequested, this, &RunPage::changeRequested);
        connect(m_parts->entry, &EntrySheet::undoRequested, this, &RunPage::undoRequested);
        connect(m_parts->entry, &EntrySheet::runsPicked, this, &RunPage::runsPicked);
        connect(m_parts->entry, &EntrySheet::exploreRequested, this,
                [this] { emit stepRequested(Step::Explore); });
    }
    m_parts->entry->setContext(m_parts->context);
    m_parts->stack->setCurrentWidget(m_parts->entry);
}

void RunPage::wireActions()
{
    RunActions* actions = m_parts->details->actions();
    connect(actions, &RunActions::controlRequested, this, &RunPage::controlRequested);
    connect(actions, &RunActions::rerunRequested, this,
            [this](const std::vector<int>& runs) { request(makeRerun(m_parts->context->study, runs)); });
    connect(actions, &RunActions::excludeRequested, this,
            [this](const std::vector<int>& runs) { request(makeExclusion(m_parts->context->study, runs)); });
    connect(actions, &RunActions::includeRequested, this,
            [this](const std::vector<int>& runs) { request(makeInclusion(m_parts->context->study, runs)); });
    connect(m_parts->details, &RunDetails::repeatRequested, this, &RunPage::repeat);
}

/// Nothing that was said, picked or searched for belongs to the study that is open now.
void RunPage::forgetStudy()
{
    m_parts->messageState = {};
    m_parts->news = {};
    m_parts->focus = {};
    m_parts->shownRun = -1;
    m_parts->table->light(-1);
    m_parts->details->forget();
    m_parts->details->setCompared({});
    m_parts->compared.clear();
    emit watchRequested(-1);
}

/// Whoever starts wants to see what runs then.
void RunPage::start()
{
    if (m_parts->focus.pick(-1))
        emit runsPicked({});
    m_parts->focus.expectStartedRun();
    emit startRequested();
}

void RunPage::setContext(ContextPointer context)
{
    const bool isOther = m_parts->context && m_parts->context->path != context->path;
    const bool wasRunning = m_parts->context && !isOther && m_parts->context->isRunning;
    if (wasRunning)
        m_parts->focus.recordLastEnded(m_parts->context->study, context->study);
    m_parts->context = std::move(context);
    const StudyContext& now = *m_parts->context;
    m_parts->baselines = now.study.baselines;
    if (isOther)
        forgetStudy();
    if (!now.study.runs.empty() && EntrySheet::isFor(now.study))
        showEntry();
    else
        m_parts->stack->setCurrentIndex(now.study.runs.empty() ? 0 : 1);
    m_parts->table->setStudy(now.study);
    if (now.isRunning) {
        m_parts->messageState.message = {};
        m_parts->tick->start();
    } else {
        m_parts->tick->stop();
        m_parts->news = {};
        m_parts->table->runs()->setNews({});
    }
    if (now.isRunning && !wasRunning && m_parts->focus.followNewRunner())
        emit runsPicked({});
    m_parts->barState.isRunning = m_parts->messageState.isRunning = now.isRunning;
    m_parts->details->setContext(now);
    showBar();
    showShownRun();
}

void RunPage::showBar()
{
    m_parts->barState.isPaused = m_parts->news.isPaused;
    m_parts->barState.remaining = m_parts->news.remaining;
    m_parts->messageState.pausedBecause = QString::fromStdString(m_parts->news.pausedBecause);
    if (!m_parts->context)
        return;
    m_parts->bar->show(m_parts->context->study, m_parts->barState);
    m_parts->messages->show(m_parts->context->study, m_parts->messageState);
}

/// Details of the run that should be shown now; its files are asked for when it is another one than before.
void RunPage::showShownRun()
{
    const int id = m_parts->focus.runToShow(m_parts->news, m_parts->shownRun);
    const study::Run* run = m_parts->run(id);
    const bool isOther = id != m_parts->shownRun;
    m_parts->shownRun = id;
    if (isOther && m_parts->table->currentRun() != id)
        m_parts->table->light(id);
    m_parts->details->actions()->setRuns(m_parts->selectedRuns(), m_parts->barState.isRunning, m_parts->news);
    if (!isOther) {
        m_parts->details->updateRun(run);
        return;
    }
    m_parts->details->setRun(run);
    emit watchRequested(id);
}

/// What the user has clicked on or walked to; nothing: the run in progress is followed again.
void RunPage::pickFromTable()
{
    const std::vector<int> selected = m_parts->table->selectedRuns();
    const int current = m_parts->table->currentRun();
    const bool isCurrent = std::ranges::find(selected, current) != selected.end();
    const int run = selected.empty() ? -1 : isCurrent ? current : selected.front();
    PickedRuns picked(selected);
    picked.current = run;
    const bool isNew = m_parts->focus.pick(run);
    showShownRun();
    if (isNew || picked != m_parts->lit)
        emit runsPicked(picked);
    m_parts->lit = picked;
    compare();
}

/// The lit runs beside the shown one are asked for, where they are others than before.
void RunPage::compare()
{
    std::vector<int> others = m_parts->table->selectedRuns();
    std::erase(others, m_parts->shownRun);
    others.resize(std::min(others.size(), run::kMostComparedRuns));
    if (others == m_parts->compared)
        return;
    m_parts->compared = others;
    emit compareRequested(others);
}

void RunPage::showCompared(const std::vector<run::ComparedRun>& runs)
{
    m_parts->details->setCompared(runs);
}

void RunPage::showMenu(const QPoint& position)
{
    const QModelIndex index = m_parts->table->indexAt(position);
    if (!index.isValid() || !m_parts->context)
        return;
    if (!m_parts->table->selectionModel()->isRowSelected(index.row()))
        m_parts->table->setCurrentIndex(index);
    QMenu menu(this);
    m_parts->details->actions()->fill(menu);
    if (!menu.isEmpty())
        menu.exec(m_parts->table->viewport()->mapToGlobal(position));
}

void RunPage::request(const RunChange& change)
{
    emit changeRequested(change.after, change.label, change.mergeKey);
}

/// Disturbed runs, by the living runner or the next one.
void RunPage::repeat(const std::vector<int>& runs)
{
    if (!m_parts->barState.isRunning)
        request(makeRepetition(m_parts->context->study, runs));
    else
        for (const int run : runs)
            emit controlRequested({run::ControlAction::Retry, run});
}

void RunPage::retry(const std::vector<int>& runs)
{
    if (m_parts->barState.isRunning)
        return repeat(runs);
    request(makeRetry(m_parts->context->study, runs));
    start();
}

void RunPage::showNews(const run::RunnerNews& news)
{
    m_parts->news = news;
    m_parts->focus.updateFocusFromNews(news);
    m_parts->table->runs()->setNews(news);
    showBar();
    showShownRun();
}

void RunPage::showSamples(int run, const run::RunSamples& samples, bool isStart)
{
    if (run == m_parts->shownRun)
        m_parts->details->updateSamples(samples, isStart);
}

void RunPage::showLog(int run, const QString& text, bool isStart)
{
    if (run == m_parts->shownRun)
        m_parts->details->updateLog(text, isStart);
}

void RunPage::showProblem(const QString& problem)
{
    m_parts->problem->setWords(problem);
    m_parts->problem->setVisible(!problem.isEmpty());
}

void RunPage::showMessage(const RunMessage& message)
{
    m_parts->messageState.message = message;
    showBar();
}

void RunPage::pickRuns(const PickedRuns& runs)
{
    m_parts->lit = runs;
    m_parts->focus.pick(runs.current);
    if (m_parts->entry)
        m_parts->entry->pickRuns(runs);
    m_parts->table->light(runs);
    showShownRun();
    compare();
}

} // namespace quadric::widgets
