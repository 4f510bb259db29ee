// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/files/file.h"

#include <filesystem>
#include <optional>
#include <string>

namespace quadric::study {

/// What a companion file is opened for: a file that Quadric itself keeps beside a document (lock, journal,
/// events, logs).
enum class CompanionUse {
    Read,      ///< the handle is not open where there is no such file
    Append,    ///< for reading and for writing at the end; made where there is none
    CreateAnew ///< whatever has the name is removed first, so that nothing else is written through it
};

/// Opens a companion file without following a link and without waiting for a pipe. `ownFolder`, where it is
/// given, is the folder of Quadric's own in which the file is: it and all folders below it are no links
/// either, and are made for writing where they are missing. Throws DocumentError, which names the file, what
/// it is and what to do, for all that is not an ordinary file, and for writing into a file that has a second
/// name (a hard link). Reading through one is harmless: backups make such names.
FileHandle openCompanion(const std::filesystem::path& path, CompanionUse use,
                         const std::filesystem::path& ownFolder = {});

/// The whole companion file; empty where there is none. Throws DocumentError, also where it is larger than
/// kLargestFile.
std::optional<std::string> readCompanion(const std::filesystem::path& path,
                                         const std::filesystem::path& ownFolder = {});

/// Throws DocumentError, in the words of openCompanion(), where something else has the name of a companion
/// file that is to be used like this, or of a folder of them.
void refuseImpostor(const std::filesystem::path& path, CompanionUse use);
void refuseImpostorOfFolder(const std::filesystem::path& path);

} // namespace quadric::study
