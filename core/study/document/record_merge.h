// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <span>

namespace quadric::study {

/// A run as its runner knows it.
struct KnownRun {
    const Run* now = nullptr;
    const Run* before = nullptr; ///< as the document had it when the runner began, if it had ended by then
    bool isRecorded = true;      ///< by this runner; otherwise it only knows of it
};

/// Takes the runs into their study, which may have been edited meanwhile. Runs that it does not have any more
/// are added if they have ended, and a run that is pending gets its result back. Returns the ids of recorded
/// ones that have ended and are not taken: the study's run has other settings, or another result that
/// somebody else has put there.
std::vector<int> mergeRecords(std::span<const KnownRun> known, Study& study);

} // namespace quadric::study
