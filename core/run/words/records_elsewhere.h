// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/journal.h"

namespace quadric::run {

/// Where programs keep what outlives them: `$XDG_STATE_HOME/quadric`, else `~/.local/state/quadric`.
std::filesystem::path stateFolder();

/// The name of a study that is not there; its journal (below) is.
std::filesystem::path studyElsewhere(const std::filesystem::path& document);

/// Where records of this study are kept while its own folder cannot be written: a journal in stateFolder(),
/// named by studyKey().
std::filesystem::path journalElsewhere(const std::filesystem::path& document);

/// The records that are kept there, oldest first. Throws DocumentError where that file is broken.
std::vector<study::Run> recordsElsewhere(const std::filesystem::path& document);

} // namespace quadric::run
