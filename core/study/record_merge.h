// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <span>

namespace quadric::study {

/// A run as its runner knows it.
struct KnownRun {
    const Run* now = nullptr;
    const Run* before = nullptr; ///< as the document had it when the runner began, if it had ended by then
};

/// Takes the runs into their study, which may have been edited meanwhile. Runs that it does not have any more
/// are added if they have ended. Returns the ids of those that have ended and are not taken: the study's run
/// has other settings, or another result that somebody else has put there.
std::vector<int> mergeRecords(std::span<const KnownRun> known, Study& study);

} // namespace quadric::study
