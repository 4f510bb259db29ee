// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

/// Leaves out details of runs until the document takes at most about `most` bytes: of each run whose record
/// is larger than its share the largest ones that nobody but its worker understands, which the record then
/// names (`provenance.left_out`). Settings, results and what the runner has noted stay.
void trimRecords(Study& study, std::size_t most);

} // namespace quadric::study
