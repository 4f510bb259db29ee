// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/fit_selection.h"
#include "app/cli/optimize_options.h"
#include "core/model/process/process.h"

namespace quadric::app {

/// `--model gp` stands for a Gaussian process instead of a polynomial.
bool asksForProcess(const FitSelection& selection);

/// The selection for everything but the model.
FitSelection withoutModel(FitSelection selection);

/// A process for each response of the selection. Throws WorkError where none is usable; says on standard
/// error which are not.
std::vector<model::Process> processesOf(const study::Study& study, const FitSelection& selection);

/// `optimize --model gp`.
void findBestByProcess(const OptimizeCommand& command);

} // namespace quadric::app
