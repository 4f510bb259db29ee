// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/report/finding.h"

namespace quadric::report {

/// How well an experiment is being measured, to be read while it goes on: progress, failed and disturbed
/// runs, spread inside the runs, repeatability of the center points, copies, drift and source of the results,
/// each where there is something to say. `fits` are those of the study's responses, or none.
std::vector<Finding> findInMeasurement(const study::Study& study, const std::vector<model::Fit>& fits);

/// The runs that are done but were throttled or shared, by id: those that are worth repeating.
std::vector<int> disturbedRuns(const study::Study& study);

} // namespace quadric::report
