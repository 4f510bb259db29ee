// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::design {

/// Ids of the runs that make up the design: neither baselines nor confirmations nor excluded runs.
std::vector<int> runsOfDesign(const study::Study& study);

/// The study with these runs so many times more, pending, after all that it has, in random order where the
/// design is randomized. A replicate is in the block of the run that it repeats and of its point type, but
/// for design points, which are augmented ones. Unknown ids are ignored.
study::Study withReplicates(study::Study study, const std::vector<int>& runIds, int times);

} // namespace quadric::design
