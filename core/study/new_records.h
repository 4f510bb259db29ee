// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <vector>

namespace quadric::study {

/// The run with what its runner has recorded later. One that is measured keeps its result until there is
/// another, and one that somebody has excluded meanwhile stays excluded.
Run withRecord(const Run& run, const Run& record);

/// Takes runs of any kind in, one after another, each into the run with its id (withRecord()); those that the
/// study does not have are added.
void takeRecords(Study& study, const std::vector<Run>& records);

/// `after`, which somebody has made from `before`, with what runs have recorded since then: those of `now`.
Study withNewRecords(Study after, const Study& before, const Study& now);

} // namespace quadric::study
