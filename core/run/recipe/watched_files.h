// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quadric::run {

/// Of a larger file only so many bytes are looked at, and of all files of a study together so many; what is
/// left out is watched by its size alone.
inline constexpr std::uint64_t kMostBytesOfFile = std::uint64_t{8} << 20;
inline constexpr std::uint64_t kMostBytesOfFiles = std::uint64_t{64} << 20;

/// The content of a file.
struct FileDigest {
    std::uint64_t size = 0;
    std::uint64_t looked = 0; ///< bytes from its beginning that the digest is of
    std::string sha256 = {};  ///< of these, in hexadecimal; empty where it cannot be read
    bool operator==(const FileDigest&) const = default;
};
using FileDigests = std::map<std::string, FileDigest>; ///< by path, seen from the working folder

/// The words of a study's command that may be names of files: those of argv, of the values of env, and of the
/// lines for Slurm, as they are filled in for the study's runs.
struct FileNames {
    std::map<std::string, std::filesystem::path> paths =
        {};                                  ///< by name in FileDigests; not all of them exist
    std::vector<std::string> unwatched = {}; ///< what is not looked at, each with the reason in words
};

/// A relative name is seen from the working folder. An absolute one counts where it lies in that folder or in
/// the study's; programs and data of the system do not. Neither do the result file of `parse`, the files of
/// `writes` and names with {run_id}: the command writes them. The program itself always counts.
FileNames findFileNames(const study::Study& study, const std::filesystem::path& document);

/// The regular files among these, also behind links.
FileDigests digestFiles(const FileNames& names);

} // namespace quadric::run
