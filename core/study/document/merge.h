// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/document.h"
#include "core/study/study.h"

#include <span>

namespace quadric::study {

/// Which side counts where both have changed the same thing in different ways.
enum class Prefer { Mine, Theirs };

struct MergeResult {
    Study study;
    /// What both sides have changed in different ways, in words; empty: the study contains all changes.
    std::vector<std::string> conflicts = {};
    /// Runs whose measured results here gave way to others of theirs, by id.
    std::vector<int> replacedRuns = {};
};

/// Three-way merge of studies: `mine` and `theirs` were both made from `base`. Factors and responses are
/// matched by name, runs by id, everything else by its key in the document. What only one side has changed is
/// taken. Results stay whatever the other side has made of their run, and runs that were added on both sides
/// are all kept: mine get new ids where theirs have the same. How pages are arranged is never a conflict:
/// mine counts. Another study in the place of `base` is a conflict as a whole, and so are sides that together
/// have problems (validate()) that neither has alone: the preferred one counts then, with those results of
/// the other that fit it.
MergeResult merge(const Study& base, const Study& mine, const Study& theirs, Prefer prefer = Prefer::Mine);

/// Saves `mine`, which was made from what was loaded as `base`. What another program has saved meanwhile is
/// merged in. Returns what the document contains now. Throws DocumentError, and DocumentChanged where both
/// have changed the same thing.
Study saveMerged(const Study& mine, const LoadedStudy& base, const std::filesystem::path& path);

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

/// What is different in `after`, for a status line: "1 factor and 2 runs were added, 1 run was measured, the
/// description was changed". Empty where there is nothing to say; how pages are arranged is not.
std::string changesInWords(const Study& before, const Study& after);

} // namespace quadric::study
