// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"
#include "core/model/fit/fit.h"

namespace quadric::app {

/// The numbers of a fit and its tables, as each entry of `responses` in `analyze --json` begins.
Json fitJson(const model::Fit& fit);

} // namespace quadric::app
