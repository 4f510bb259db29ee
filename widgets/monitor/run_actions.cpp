// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_actions.h"

#include "widgets/base/style.h"
#include "widgets/design/matrix/run_matrix.h"
#include "widgets/design/run_sheet.h"
#include "widgets/monitor/run_bar.h"
#include "widgets/text/wording.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>

namespace quadric::widgets {

using run::ControlAction;
using study::RunStatus;

RunActions::RunActions(QWidget* parent)
    : QWidget(parent)
{
    marginless<QHBoxLayout>(this, 8);
    add(Cancel, tr("Cancel"), tr("Cancel %1 runs"), tr("Ends this run without a result; the others go on"),
        [this](const auto& runs) { ask(ControlAction::Cancel, runs); });
    add(First, tr("Run next"), tr("Run these %1 next"), tr("Moves this run to the front of the queue"),
        [this](std::vector<int> runs) {
            std::ranges::reverse(runs); // each is put before those that came first
            ask(ControlAction::First, runs);
        });
    add(Skip, tr("Skip"), tr("Skip %1 runs"), tr("Skips this run this time; it stays pending"),
        [this](const auto& runs) { ask(ControlAction::Skip, runs); });
    add(Rerun, tr("Rerun"), tr("Rerun %1 runs"), tr("A new result replaces this one"),
        [this](const auto& runs) {
            if (m_isRunning)
                ask(ControlAction::Retry, runs);
            else
                emit rerunRequested(runs);
        });
    add(Exclude, tr("Exclude from models"), tr("Exclude %1 runs from models"),
        tr("The result is kept, but no model uses it"),
        [this](const auto& runs) { emit excludeRequested(runs); });
    add(Include, tr("Include in models"), tr("Include %1 runs in models"),
        tr("The models use this result again"), [this](const auto& runs) { emit includeRequested(runs); });
    setRuns({}, false, {});
}

void RunActions::add(Which which, const QString& text, const QString& manyText, const QString& tooltip,
                     const std::function<void(const std::vector<int>&)>& action)
{
    auto* made = new QAction(text, this);
    made->setToolTip(tooltip);
    Item& item = m_items[which];
    item = {made, text, manyText, {}};
    // A copy: what it asks for may change what it suits.
    connect(made, &QAction::triggered, this, [&item, action] { action(std::vector(item.runs)); });
    auto* button = new QToolButton(this);
    button->setDefaultAction(made);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(made, &QAction::changed, button, [made, button] { button->setVisible(made->isVisible()); });
    layout()->addWidget(button);
}

void RunActions::ask(ControlAction action, const std::vector<int>& runs)
{
    for (const int run : runs)
        emit controlRequested({action, run});
}

void RunActions::setRuns(const std::vector<const study::Run*>& runs, bool isRunning,
                         const run::RunnerNews& news)
{
    m_isRunning = isRunning;
    for (Item& item : m_items)
        item.runs.clear();
    for (const study::Run* run : runs) {
        if (isRunning)
            addWithRunner(*run, news);
        else
            addWithoutRunner(*run);
    }
    for (const Item& item : m_items) {
        const auto count = static_cast<qint64>(item.runs.size());
        item.action->setText(count < 2 ? item.text : item.manyText.arg(count));
        item.action->setVisible(count > 0);
    }
}

void RunActions::offer(Which which, int run, bool isSuited)
{
    if (isSuited)
        m_items[which].runs.push_back(run);
}

void RunActions::addWithRunner(const study::Run& run, const run::RunnerNews& news)
{
    const bool isActive = news.active.contains(run.id) || run.status == RunStatus::Running;
    const auto place = std::ranges::find(news.queue, run.id);
    const bool isQueued = place != news.queue.end();
    offer(Cancel, run.id, isActive);
    offer(Skip, run.id, isActive || isQueued);
    offer(First, run.id, isQueued && place != news.queue.begin());
    offer(Rerun, run.id, !isActive && !isQueued && run.status != RunStatus::Excluded);
}

void RunActions::addWithoutRunner(const study::Run& run)
{
    const bool isDone = run.status == RunStatus::Done;
    offer(Rerun, run.id, isDone || run.status == RunStatus::Failed);
    offer(Exclude, run.id, isDone && run.kind != study::RunKind::Baseline);
    offer(Include, run.id, run.status == RunStatus::Excluded);
}

void RunActions::fill(QMenu& menu) const
{
    for (const Item& item : m_items) {
        if (item.action->isVisible())
            menu.addAction(item.action);
    }
}

namespace {

/// "Rerun run 4", "Rerun 3 runs".
QString labelFor(const char* one, const char* many, const std::vector<int>& runs)
{
    return runs.size() == 1 ? tr(one).arg(runs.front()) : tr(many).arg(static_cast<qint64>(runs.size()));
}

study::Study withoutExecution(study::Study study, const std::vector<int>& runs)
{
    for (std::vector<study::Run>* all : {&study.runs, &study.baselines}) {
        for (study::Run& run : *all) {
            if (std::ranges::find(runs, run.id) == runs.end())
                continue;
            run.status = study::RunStatus::Pending;
            run.failure.reset();
            run.reason.clear();
            run.results.clear();
            run.spread.clear();
            run.provenance = {};
        }
    }
    return study;
}

constexpr int kBarHeight = 6;

bool isWanted(const study::Run& run)
{
    return run.status != study::RunStatus::Excluded;
}

/// The first run in run order that has not all its results; null: none. One that was marked as failed was
/// measured.
const study::Run* nextRun(const study::Study& study)
{
    for (const study::Run* run : study::inRunOrder(study))
        if (run->status == study::RunStatus::Pending || run->status == study::RunStatus::Running)
            return run;
    return nullptr;
}

} // namespace

RunChange makeRerun(study::Study study, const std::vector<int>& runs)
{
    return {withoutExecution(std::move(study), runs), labelFor("Rerun run %1", "Rerun %1 runs", runs)};
}

RunChange makeRetry(study::Study study, const std::vector<int>& failedRuns)
{
    return {withoutExecution(std::move(study), failedRuns),
            labelFor("Retry run %1", "Retry %1 failed runs", failedRuns)};
}

RunChange makeRepetition(study::Study study, const std::vector<int>& disturbedRuns)
{
    return {withoutExecution(std::move(study), disturbedRuns),
            labelFor("Repeat disturbed run %1", "Repeat %1 disturbed runs", disturbedRuns)};
}

RunChange makeExclusion(study::Study study, const std::vector<int>& runs)
{
    return {withRunsLeftOut(std::move(study), runs, "by hand"),
            labelFor("Exclude run %1", "Exclude %1 runs", runs)};
}

RunChange makeInclusion(study::Study study, const std::vector<int>& runs)
{
    return {withRunsTakenBack(std::move(study), runs), labelFor("Include run %1", "Include %1 runs", runs)};
}

RunChange makeParallel(study::Study study, int runs)
{
    study.benchmark.parallel = runs;
    return {std::move(study), runs == 1 ? tr("One run at a time") : tr("%1 runs at once").arg(runs),
            QStringLiteral("parallel")};
}

RunChange makeBaselineMode(study::Study study, study::BaselineMode mode)
{
    study.benchmark.baseline = mode;
    return {std::move(study), baselineModeLabel(mode)};
}

EntrySheet::EntrySheet(QWidget* parent)
    : QWidget(parent)
    , m_progress(titleLabel({}))
    , m_bar(new QProgressBar)
    , m_words(mutedLabel({}))
    , m_button(primaryButton({}))
    , m_sheet(new RunSheet)
{
    setObjectName(QStringLiteral("entrySheet"));
    nameWidget(m_progress, "entryProgress", tr("Results entered"));
    nameWidget(m_words, "entryWords", tr("What to do next"));
    nameWidget(m_button, "entryNext", tr("Next step"));
    m_bar->setAccessibleName(tr("Runs with all results"));
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(kBarHeight);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    rows->setSpacing(kGroupGap);
    rows->addLayout(buildHeader());
    rows->addWidget(m_sheet, 1);
    connect(m_button, &QPushButton::clicked, this, &EntrySheet::act);
    connect(m_sheet, &RunSheet::changeRequested, this, &EntrySheet::changeRequested);
    connect(m_sheet, &RunSheet::undoRequested, this, &EntrySheet::undoRequested);
    connect(m_sheet, &RunSheet::runsPicked, this, &EntrySheet::runsPicked);
}

QLayout* EntrySheet::buildHeader()
{
    auto* texts = new QVBoxLayout;
    texts->setSpacing(kGap / 2);
    texts->addWidget(m_progress);
    texts->addWidget(m_bar);
    texts->addWidget(m_words);
    auto* header = new QHBoxLayout;
    header->setSpacing(kPageMargin);
    header->addLayout(texts, 1);
    header->addWidget(m_button, 0, Qt::AlignTop);
    return header;
}

void EntrySheet::setContext(const ContextPointer& context)
{
    const study::Study& study = context->study;
    const auto all = int(std::ranges::count_if(study.runs, isWanted));
    const int done = study::countRuns(study, study::RunStatus::Done);
    const study::Run* next = nextRun(study);
    m_next = next ? next->id : -1;
    const int failed = study::countRuns(study, study::RunStatus::Failed);
    const QString entered = tr("%1 of %2 entered").arg(done).arg(all);
    m_progress->setText(failed > 0 ? entered + tr(", %1 failed").arg(failed) : entered);
    m_bar->setRange(0, std::max(1, all));
    m_bar->setValue(done);
    m_words->setText(
        next ? tr("Next: run %1 (run order %2): %3. You enter the results yourself. Measure in run "
                  "order, then type or paste the results.")
                   .arg(next->id)
                   .arg(next->order)
                   .arg(settingsText(study, next->settings))
             : tr("No run is left to measure."));
    m_button->setText(next ? tr("Enter run %1").arg(next->id) : tr("Explore results"));
    m_sheet->setContext(context);
    m_sheet->model().setNextRun(m_next);
}

void EntrySheet::act()
{
    if (m_next < 0)
        emit exploreRequested();
    else
        m_sheet->view().goToResult(m_next);
}

void EntrySheet::pickRuns(const PickedRuns& runs)
{
    m_sheet->view().pickRuns(runs);
}

} // namespace quadric::widgets
