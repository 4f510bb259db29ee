// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/result.h"

namespace quadric::trainer {

/// Carries out a run on hardware that is not here: steps come from the model (step_model.h) and, where asked
/// for, normal noise from the seed; warm-up, stop rule and result are those of real runs, in simulated time.
/// Throws Failure (out-of-memory) for a step that does not fit into the simulated GPU.
RunRecord simulateRun(const Workload& workload);

} // namespace quadric::trainer
