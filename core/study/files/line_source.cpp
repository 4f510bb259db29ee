// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/line_source.h"

#include <cerrno>
#include <unistd.h>

namespace quadric::study {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 18;

} // namespace

LineSource::LineSource(const FileHandle& file, std::filesystem::path path, std::size_t longest)
    : m_file(file)
    , m_path(std::move(path))
    , m_longest(longest)
{
}

bool LineSource::readMore()
{
    m_buffer.erase(0, m_start);
    m_start = 0;
    const std::size_t filled = m_buffer.size();
    m_buffer.resize(filled + kPieceBytes);
    ssize_t count = -1;
    do {
        count = ::read(m_file.get(), m_buffer.data() + filled, kPieceBytes);
    } while (count < 0 && errno == EINTR);
    const int error = errno;
    m_buffer.resize(filled + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count < 0)
        failWithErrno(m_path, "cannot be read", error);
    return count > 0;
}

/// A hole in a file is zeros, and no line ends in it.
void LineSource::passHole()
{
    const off_t here = ::lseek(m_file.get(), 0, SEEK_CUR);
    off_t data = ::lseek(m_file.get(), here, SEEK_DATA);
    if (data < 0 && errno == ENXIO)
        data = ::lseek(m_file.get(), 0, SEEK_END);
    if (data > here)
        m_offset += static_cast<std::uint64_t>(data - here);
}

std::optional<LineSource::Line> LineSource::next()
{
    bool isTooLong = false;
    std::size_t searched = 0; ///< so much of the line has no end
    std::size_t end = m_buffer.find('\n', m_start);
    while (end == std::string::npos) {
        searched = m_buffer.size() - m_start;
        if (searched > m_longest) {
            isTooLong = true;
            m_offset += searched;
            m_start += searched;
            searched = 0;
            passHole();
        }
        if (!readMore())
            break;
        end = m_buffer.find('\n', m_start + searched);
    }
    const bool isWhole = end != std::string::npos;
    const std::size_t length = (isWhole ? end : m_buffer.size()) - m_start;
    if (!isWhole && length == 0 && !isTooLong)
        return std::nullopt;
    isTooLong = isTooLong || length > m_longest;
    Line line;
    line.isWhole = isWhole;
    line.isTooLong = isTooLong;
    if (!isTooLong)
        line.text = std::string_view(m_buffer).substr(m_start, length);
    const std::size_t taken = length + (isWhole ? 1 : 0);
    m_start += taken;
    m_offset += taken;
    line.end = m_offset;
    return line;
}

} // namespace quadric::study
