// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/study_output.h"
#include "core/model/fit.h"

namespace quadric::app {

/// One entry of `responses` in `analyze --json`.
Json fitJson(const model::Fit& fit);

/// The same as tables.
void printFit(const model::Fit& fit);

} // namespace quadric::app
