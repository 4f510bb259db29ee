// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/report_card.h"

namespace quadric::model {

/// How well an experiment is being measured, in plain sentences that can be read while it goes on: how far it
/// is, failed, disturbed and retried runs, spread inside the runs, repeatability of the centre runs, drift,
/// source of the results; each where there is something to say. `fits` are those of the study's responses, or
/// none.
std::vector<ReportCardItem> measurementCard(const study::Study& study, const std::vector<Fit>& fits);

/// The runs that are done but were throttled or shared, by id: those that are worth repeating.
std::vector<int> disturbedRuns(const study::Study& study);

} // namespace quadric::model
