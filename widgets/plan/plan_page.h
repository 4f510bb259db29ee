// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plan/plan_view.h"
#include "widgets/plots/view_kind.h"

class QStackedLayout;
class QTabWidget;

namespace quadric::widgets {

class EmptyState;

/// The step "Plan": what comes after the best settings. Above the work that is planned, below a tab for each
/// question. Only the tab in front costs anything while a slider moves.
class PlanPage : public Page {
    Q_OBJECT

public:
    explicit PlanPage(QWidget* parent = nullptr);
    void setContext(ContextPointer context) override { m_session.setContext(std::move(context)); }

private:
    QWidget* makeViews();
    void reserveRoomForViews(bool areShown);
    void refresh();
    void showEmpty();
    void showCurrent();
    void explain();

    PlanSession m_session;
    QStackedLayout* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    PlanForm* m_work = nullptr; ///< the work that is planned
    QTabWidget* m_tabs = nullptr;
    std::vector<PlanView*> m_views;
    std::vector<bool> m_isOld; ///< views that have missed something
};

using PlanViewRow = ViewRow<PlanView, PlanSource>;

/// The views of the page Plan, in the order of its tabs.
const std::vector<PlanViewRow>& planViews();

/// What a view answers, for a page without controls.
struct PlanAnswer {
    QString title = {}, sentence = {}, remark = {};
    std::shared_ptr<Plot> plot = {};
    std::vector<TextTable> tables = {};
};

/// The answers to what the study asks (plan::askedQuestions()), in the order of the tabs, computed at once.
/// None where nothing can be planned.
std::vector<PlanAnswer> planAnswers(const PlanSource& source);

/// The work that is planned, in a sentence. The source is ready.
QString describeWork(const PlanSource& source);

} // namespace quadric::widgets
