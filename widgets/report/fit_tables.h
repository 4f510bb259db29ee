// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"
#include "core/report/finding.h"
#include "widgets/text/text_table.h"

namespace quadric::widgets {

/// What the report prints of a model beyond the tables that the window shows. `fit` is usable in all of them.

TextTable statisticsTable(const model::Fit& fit);
/// OK, check, problem: what was found and what to do.
TextTable findingsTable(const QString& caption, const std::vector<report::Finding>& findings);
/// Partial sums of squares, each term given all others, with the share that it explains.
TextTable termTable(const model::Fit& fit);
/// The same polynomial in the units of the factors.
TextTable actualCoefficientTable(const model::Fit& fit);
/// The limits of the Pareto chart in one sentence; empty where there are none.
QString effectLimitText(const model::EffectLimit& limit);
TextTable importanceTable(const model::Fit& fit);
/// One row per run.
TextTable diagnosticsTable(const model::Fit& fit);
/// Independence, drift and normality; rows of what can be judged.
TextTable residualCheckTable(const model::Fit& fit);

} // namespace quadric::widgets
