// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/report/table.h"
#include "core/study/measurement_quality.h"

/// How well the runs were measured.
namespace quadric::report {

Table makeSpreadTable(const study::MeasurementQuality& quality);

/// The run order as one more term of each model.
Table makeDriftTable(const std::vector<model::Fit>& fits);

Table makeDisturbedTable(const study::MeasurementQuality& quality);

/// Runs without a result that counts, and why.
Table makeLostTable(const study::MeasurementQuality& quality);

} // namespace quadric::report
