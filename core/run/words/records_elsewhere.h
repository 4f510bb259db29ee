// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/files/journal.h"

namespace quadric::run {

/// Where programs keep what outlives them: `$XDG_STATE_HOME/quadric`, else `~/.local/state/quadric`.
std::filesystem::path stateFolder();

/// The name of a study that is not there; its journal (below) is.
std::filesystem::path studyElsewhere(const std::filesystem::path& document);

/// Where records of this study are kept while its own folder cannot be written: a journal in stateFolder(),
/// named by studyKey().
std::filesystem::path journalElsewhere(const std::filesystem::path& document);

/// A document, never there itself, beside which study::recoveredPath() lies where nothing can be written
/// beside the study's own: `quadric-HASH/NAME` in the same folder.
std::filesystem::path recoveredElsewhere(const std::filesystem::path& document);

/// The file in which a runner has left what it could not put into this study, here or there.
std::optional<std::filesystem::path> findRecovered(const std::filesystem::path& document);

/// The same, for a message about a document that is not there: "; what … is in FILE", empty where there is
/// none.
std::string hintAtRecovered(const std::filesystem::path& document);

/// The records that are kept there, oldest first. Throws DocumentError where that file is broken.
std::vector<study::Run> recordsElsewhere(const std::filesystem::path& document);

} // namespace quadric::run
