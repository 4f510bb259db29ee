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
    m_cancel =
        add(tr("Cancel"), tr("Ends this run; it counts as failed"), [this] { ask(ControlAction::Cancel); });
    m_first = add(tr("Run next"), tr("Moves this run to the front of the queue"),
                  [this] { ask(ControlAction::First); });
    m_skip = add(tr("Skip"), tr("Skips this run this time; it stays pending"),
                 [this] { ask(ControlAction::Skip); });
    m_again = add(tr("Rerun"), tr("A new result replaces this one"), [this] {
        if (m_isRunning)
            ask(ControlAction::Retry);
        else
            emit measureAgainRequested(m_run);
    });
    m_leaveOut = add(tr("Exclude from models"), tr("The result is kept, but no model uses it"),
                     [this] { emit leaveOutRequested(m_run); });
    m_putBack = add(tr("Include in models"), tr("The models use this result again"),
                    [this] { emit putBackRequested(m_run); });
    setRun(nullptr, false, {});
}

QAction* RunActions::add(const QString& text, const QString& tooltip, const std::function<void()>& action)
{
    auto* made = new QAction(text, this);
    made->setToolTip(tooltip);
    connect(made, &QAction::triggered, this, action);
    auto* button = new QToolButton(this);
    button->setDefaultAction(made);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(made, &QAction::changed, button, [made, button] { button->setVisible(made->isVisible()); });
    layout()->addWidget(button);
    return made;
}

void RunActions::ask(ControlAction action)
{
    emit controlRequested({action, m_run});
}

void RunActions::setRun(const study::Run* run, bool isRunning, const run::RunnerNews& news)
{
    m_run = run ? run->id : 0;
    m_isRunning = isRunning;
    for (QAction* each : actionsOfRun())
        each->setVisible(false);
    if (run && isRunning)
        showWithRunner(*run, news);
    else if (run && run->kind != study::RunKind::Baseline) // the next runner measures one where it is needed
        showWithoutRunner(*run);
}

void RunActions::showWithRunner(const study::Run& run, const run::RunnerNews& news)
{
    const bool isActive = news.active.contains(run.id) || run.status == RunStatus::Running;
    const auto place = std::ranges::find(news.queue, run.id);
    const bool isQueued = place != news.queue.end();
    m_cancel->setVisible(isActive);
    m_skip->setVisible(isActive || isQueued);
    m_first->setVisible(isQueued && place != news.queue.begin());
    m_again->setVisible(!isActive && !isQueued && run.status != RunStatus::Excluded);
}

void RunActions::showWithoutRunner(const study::Run& run)
{
    const bool isDone = run.status == RunStatus::Done;
    m_again->setVisible(isDone || run.status == RunStatus::Failed);
    m_leaveOut->setVisible(isDone);
    m_putBack->setVisible(run.status == RunStatus::Excluded);
}

std::array<QAction*, 6> RunActions::actionsOfRun() const
{
    return {m_cancel, m_first, m_skip, m_again, m_leaveOut, m_putBack};
}

void RunActions::fill(QMenu& menu) const
{
    for (QAction* each : actionsOfRun()) {
        if (each->isVisible())
            menu.addAction(each);
    }
}

void makePending(study::Run& run)
{
    run.status = RunStatus::Pending;
    run.failure.reset();
    run.reason.clear();
    run.results.clear();
    run.spread.clear();
    run.provenance = {};
}

} // namespace quadric::widgets
