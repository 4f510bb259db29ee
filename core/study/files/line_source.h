// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/json.h"
#include "core/study/files/file.h"

namespace quadric::study {

/// The longest line that is kept: what a JSON text may be at most. Longer ones are passed over, holes in them
/// without reading.
inline constexpr std::size_t kLongestLine = kLargestFile;

/// Reads an open file line by line, however large it is.
class LineSource {
public:
    /// The handle must outlive it; `path` is its name in messages.
    LineSource(const FileHandle& file, std::filesystem::path path, std::size_t longest = kLongestLine);

    struct Line {
        std::string_view text;  ///< without its end, until the next line is asked for
        std::uint64_t end = 0;  ///< offset in the file behind it
        bool isWhole = true;    ///< false: the file ends without a line end
        bool isTooLong = false; ///< what is longer than allowed; there is no text then
    };
    /// Empty at the end of the file. Throws DocumentError where it cannot be read.
    std::optional<Line> next();

private:
    bool readMore();
    /// Where the buffer has been taken to its end: reading goes on behind the hole that is next.
    void passHole();

    const FileHandle& m_file;
    std::filesystem::path m_path;
    std::size_t m_longest;
    std::string m_buffer;
    std::size_t m_start = 0;    ///< of the next line in the buffer
    std::uint64_t m_offset = 0; ///< of that line in the file
};

} // namespace quadric::study
