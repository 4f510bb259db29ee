// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plan/plan_session.h"

class QStackedLayout;
class QTabWidget;

namespace quadric::widgets {

class EmptyState;
class PlanView;
class WorkBar;

/// The step "Plan": what comes after the best settings. Above the work that is planned, below a tab for each
/// question. Only the tab in front costs anything while a slider moves.
class PlanPage : public Page {
    Q_OBJECT

public:
    explicit PlanPage(QWidget* parent = nullptr);
    void setContext(ContextPointer context) override;

private:
    QWidget* makeViews();
    void letViewsNeedRoom(bool areShown);
    void refresh();
    void showEmpty();
    void showCurrent();
    void explain();

    PlanSession m_session;
    QStackedLayout* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    WorkBar* m_work = nullptr;
    QTabWidget* m_tabs = nullptr;
    std::vector<PlanView*> m_views;
    std::vector<bool> m_isOld; ///< views that have missed something
};

} // namespace quadric::widgets
