// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/line_reader.h"

#include <utility>

namespace quadric::run {

std::vector<Line> LineReader::feed(std::string_view bytes)
{
    std::vector<Line> lines;
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        const std::size_t room = kMostLineBytes - m_line.text.size();
        m_line.isCut = m_line.isCut || piece.size() > room;
        m_line.text += piece.substr(0, room);
        if (end == bytes.npos)
            break;
        completeLine(lines);
        bytes.remove_prefix(end + 1);
    }
    return lines;
}

std::vector<Line> LineReader::finish()
{
    std::vector<Line> lines;
    completeLine(lines);
    return lines;
}

void LineReader::completeLine(std::vector<Line>& lines)
{
    Line line = std::exchange(m_line, {});
    if (!line.text.empty() && line.text.back() == '\r')
        line.text.pop_back();
    if (!line.text.empty())
        lines.push_back(std::move(line));
}

} // namespace quadric::run
