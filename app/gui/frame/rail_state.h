// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <array>

namespace quadric::app {

inline constexpr int kSteps = 6;

enum class Mark { None, Done, Running, Warning };

/// What the rail says about one step.
struct StepState {
    QString text;
    Mark mark = Mark::None;
    bool opensWarnings = false; ///< a click on the text opens the list of warnings
};

/// The state of all six steps, in their order.
std::array<StepState, kSteps> stepStates(const widgets::StudyContext& context);

/// How many warnings there are about the models.
int countWarnings(const widgets::StudyContext& context);

/// The status line: "simulated data · 1 failed run · 2 of 2 responses fitted".
QString statusWords(const widgets::StudyContext& context);

} // namespace quadric::app
