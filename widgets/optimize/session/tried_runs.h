// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/plan_tables.h"

#include <QString>

namespace quadric::widgets {

/// What was added to the study by itself, and why, run after run.
struct TriedRuns {
    std::vector<report::RunReason> reasons = {}; ///< oldest first
    QString end = {};    ///< why the last time ended, in a sentence; empty: it has not
    double spent = 0.0;  ///< seconds, of the last time
    double budget = 0.0; ///< seconds; 0: never
};

} // namespace quadric::widgets
