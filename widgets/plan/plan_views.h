// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plan/plan_view.h"

namespace quadric::widgets {

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
