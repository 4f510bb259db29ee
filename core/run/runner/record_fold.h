// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/runner/record_keeper.h"

namespace quadric::run {

/// What became of a runner's records when it ended.
struct FoldOutcome {
    std::string problem; ///< what is not in the study, where it is, and what to do; empty: all is in it
    std::string note;    ///< what was found changed and made good; empty: nothing
};

/// Puts the records into their document, as it is by now: moved with its folder, edited, an older version.
/// What does not belong there is left in a study of its own beside it ("NAME (recovered).quadric"), or in the
/// user's state folder where nothing can be written beside it.
FoldOutcome foldRecords(RecordKeeper& keeper, const study::Study& study);

} // namespace quadric::run
