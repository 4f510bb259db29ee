// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_actions.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace quadric::widgets {

using run::ControlAction;
using study::RunStatus;

RunActions::RunActions(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
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
        else if (run->kind != study::RunKind::Baseline) // the next runner measures one where it is needed
            addWithoutRunner(*run);
    }
    for (Item& item : m_items)
        showItem(item);
}

void RunActions::showItem(Item& item)
{
    item.action->setText(item.runs.size() < 2 ? item.text
                                              : item.manyText.arg(static_cast<qint64>(item.runs.size())));
    item.action->setVisible(!item.runs.empty());
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
    offer(Exclude, run.id, isDone);
    offer(Include, run.id, run.status == RunStatus::Excluded);
}

void RunActions::fill(QMenu& menu) const
{
    for (const Item& item : m_items) {
        if (item.action->isVisible())
            menu.addAction(item.action);
    }
}

} // namespace quadric::widgets
