// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"

namespace quadric::app {

/// The measurement card of the study, the sentences that the window shows: a line each, and what to do.
void printMeasurement(const study::Study& study);

/// The same: [{"code", "topic", "verdict", "sentence", "what_to_do"}].
Json measurementJson(const study::Study& study);

} // namespace quadric::app
