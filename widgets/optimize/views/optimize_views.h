// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/views/answer_view.h"

namespace quadric::widgets {

using OptimizeView = ViewRow<AnswerView, AnswerSource>;

/// All views of the page: profiler, desirability, and the tabs below them in their order.
const std::vector<OptimizeView>& optimizeViews();

} // namespace quadric::widgets
