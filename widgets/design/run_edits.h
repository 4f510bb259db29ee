// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::widgets {

/// The study with this result typed into the run (`value` empty: taken away). A run counts as done once every
/// response has a value, and as waiting before that.
study::Study withTypedResult(study::Study study, int runId, const std::string& response,
                             std::optional<double> value);

/// The study with the run left out of all models, its results kept, and why.
study::Study withRunLeftOut(study::Study study, int runId, const std::string& reason);

/// The reverse of withRunLeftOut().
study::Study withRunTakenBack(study::Study study, int runId);

} // namespace quadric::widgets
