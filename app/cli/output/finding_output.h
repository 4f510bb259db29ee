// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"
#include "core/report/finding.h"

namespace quadric::app {

/// {"code", "topic", "verdict", "sentence", "what_to_do"}.
Json findingJson(const report::Finding& finding);

/// The sentences alone.
Json sentencesJson(const std::vector<report::Finding>& findings);

} // namespace quadric::app
