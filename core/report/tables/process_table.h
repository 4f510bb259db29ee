// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"
#include "core/report/table.h"

namespace quadric::report {

/// What was learned of a response by its Gaussian process, and how well it predicts. `process` is usable.
Table makeProcessTable(const model::Process& process);

} // namespace quadric::report
