// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"
#include "core/run/words/control.h"
#include "core/study/study.h"

#include <QWidget>

#include <array>
#include <functional>

class QAction;
class QMenu;

namespace quadric::widgets {

/// What can be done with the picked run now, as a row of buttons and as a menu: while a runner lives it is
/// asked, otherwise the study is changed.
class RunActions : public QWidget {
    Q_OBJECT

public:
    explicit RunActions(QWidget* parent = nullptr);

    /// `run` may be null: nothing can be done.
    void setRun(const study::Run* run, bool isRunning, const run::RunnerNews& news);

    void fill(QMenu& menu) const;

signals:
    void controlRequested(const quadric::run::ControlRequest& request);
    void measureAgainRequested(int run);
    void leaveOutRequested(int run);
    void putBackRequested(int run);

private:
    QAction* add(const QString& text, const QString& tooltip, const std::function<void()>& action);
    void ask(run::ControlAction action);
    void showWithRunner(const study::Run& run, const run::RunnerNews& news);
    void showWithoutRunner(const study::Run& run);
    std::array<QAction*, 6> actionsOfRun() const;

    int m_run = 0;
    bool m_isRunning = false;
    QAction* m_cancel = nullptr;
    QAction* m_skip = nullptr;
    QAction* m_first = nullptr;
    QAction* m_again = nullptr;
    QAction* m_leaveOut = nullptr;
    QAction* m_putBack = nullptr;
};

/// The run with its results taken away, as if it had never been executed.
void makePending(study::Run& run);

} // namespace quadric::widgets
