// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::run {

/// Longest line that is read from a worker, in bytes. The rest of a longer line is thrown away.
inline constexpr std::size_t kMostLineBytes = std::size_t{64} * 1024;

struct Line {
    std::string text; ///< without its end
    bool isCut = false;
};

/// Splits output that arrives in pieces of any size into lines; empty lines are left out.
class LineReader {
public:
    std::vector<Line> feed(std::string_view bytes);

    /// The last line, when the output ended without a line end.
    std::vector<Line> finish();

private:
    void completeLine(std::vector<Line>& lines);

    Line m_line;
};

} // namespace quadric::run
