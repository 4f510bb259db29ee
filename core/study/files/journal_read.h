// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/files/journal.h"

namespace quadric::study {

struct ParsedJournal {
    JournalContents contents;
    std::uint64_t validBytes = 0; ///< behind the last line that can be read
};

/// An open journal, line by line from where it is read next; `path` is its name in messages. Throws
/// DocumentError where the disk fails.
ParsedJournal parseJournal(const FileHandle& file, const std::filesystem::path& path);

} // namespace quadric::study
