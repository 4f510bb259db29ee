// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/measure/result.h"

#include <string_view>

namespace quadric::trainer {

/// Carries out a run on hardware that is not here: steps come from the model (step_model.h) and, where asked
/// for, normal noise; warm-up, stop rule and result are those of real runs, in simulated time. The noise
/// comes from the seed and from the name of the run, so that repetitions of a setting differ and a run that
/// is done again does not. Throws Failure (out-of-memory) for a step that does not fit into the simulated
/// GPU.
RunRecord simulateRun(const Workload& workload, std::string_view run = {});

} // namespace quadric::trainer
