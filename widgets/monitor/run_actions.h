// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"
#include "core/run/words/control.h"
#include "core/study/study.h"

#include <QWidget>

#include <array>
#include <functional>
#include <vector>

class QAction;
class QMenu;

namespace quadric::widgets {

/// What can be done with the selected runs now, as a row of buttons and as a menu: while a runner lives it is
/// asked, otherwise the study is changed. Each action is for those of the runs that it suits.
class RunActions : public QWidget {
    Q_OBJECT

public:
    explicit RunActions(QWidget* parent = nullptr);

    void setRuns(const std::vector<const study::Run*>& runs, bool isRunning, const run::RunnerNews& news);

    void fill(QMenu& menu) const;

signals:
    void controlRequested(const quadric::run::ControlRequest& request);
    void rerunRequested(const std::vector<int>& runs);
    void excludeRequested(const std::vector<int>& runs);
    void includeRequested(const std::vector<int>& runs);

private:
    enum Which { Cancel, First, Skip, Rerun, Exclude, Include, kActions };
    struct Item {
        QAction* action = nullptr;
        QString text;          ///< of one run
        QString manyText;      ///< with %1, the number of runs
        std::vector<int> runs; ///< that it suits
    };

    void add(Which which, const QString& text, const QString& manyText, const QString& tooltip,
             const std::function<void(const std::vector<int>&)>& action);
    void ask(run::ControlAction action, const std::vector<int>& runs);
    void offer(Which which, int run, bool isSuited);
    void addWithRunner(const study::Run& run, const run::RunnerNews& news);
    void addWithoutRunner(const study::Run& run);
    void showItem(Item& item);

    bool m_isRunning = false;
    std::array<Item, kActions> m_items;
};

} // namespace quadric::widgets
