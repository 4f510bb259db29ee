// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <array>

namespace quadric::app {

inline constexpr int kSteps = 5;

enum class Mark { None, Done, Running, Warning };

/// What the rail says about one step.
struct StepState {
    QString text;
    Mark mark = Mark::None;
};

/// The state of all five steps, in their order.
std::array<StepState, kSteps> stepStates(const widgets::StudyContext& context);

/// The status line: "simulated data · 2 warnings · 2 of 2 responses fitted".
QString statusWords(const widgets::StudyContext& context);

} // namespace quadric::app
