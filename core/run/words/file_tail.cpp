// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/file_tail.h"

#include "core/study/document/document.h"

#include <algorithm>

namespace quadric::run {

namespace {

constexpr qsizetype kMostRemembered = 256;

} // namespace

FileTail::FileTail(std::filesystem::path path, std::filesystem::path ownFolder, Bounds bounds)
    : m_path(std::move(path))
    , m_ownFolder(std::move(ownFolder))
    , m_bounds(bounds)
{
}

study::FileHandle FileTail::openAndSeek(News& news)
{
    study::FileHandle file;
    try {
        file = study::openCompanion(m_path, study::CompanionUse::Read, m_ownFolder);
    } catch (const study::DocumentError&) {
        file = study::FileHandle(); // none of ours
    }
    const study::FileIdentity now = study::identityOf(file);
    const bool isSame =
        now.inode == m_seen.inode && now.device == m_seen.device && now.size >= m_offset && isAsRead(file);
    news.isStart = m_offset < 0 || !isSame;
    m_seen = now;
    if (news.isStart || now.size - m_bounds.mostBehind > m_offset)
        m_lastRead.clear();
    m_offset = std::max(news.isStart ? 0 : m_offset, now.size - m_bounds.mostBehind);
    return file;
}

/// A new file may have got the inode of the former one.
bool FileTail::isAsRead(const study::FileHandle& file) const
{
    if (m_lastRead.isEmpty())
        return true;
    const auto size = static_cast<std::size_t>(m_lastRead.size());
    try {
        return study::readPart(file, m_offset - m_lastRead.size(), size, m_path) == m_lastRead.toStdString();
    } catch (const study::DocumentError&) {
        return true; // it may be readable the next time
    }
}

void FileTail::noteRead(const QByteArray& text)
{
    m_offset += text.size();
    m_lastRead = text.right(kMostRemembered);
}

FileTail::News FileTail::read()
{
    News news = readOn();
    if (!news.text.isEmpty())
        noteRead(news.text);
    return news;
}

FileTail::News FileTail::readOn()
{
    News news;
    const study::FileHandle file = openAndSeek(news);
    if (m_seen.size <= m_offset)
        return news;
    try {
        news.text = QByteArray::fromStdString(study::readPart(file, m_offset, m_bounds.mostAtOnce, m_path));
    } catch (const study::DocumentError&) {
        return news; // it may be readable the next time
    }
    news.isFull = static_cast<std::size_t>(news.text.size()) == m_bounds.mostAtOnce;
    return news;
}

FileTail::News FileTail::readLines()
{
    News news = readOn();
    const qsizetype end = news.text.lastIndexOf('\n') + 1;
    if (end == 0 && news.isFull) {
        m_offset += news.text.size();
        m_lastRead.clear();
    }
    news.text.truncate(end);
    if (end > 0)
        noteRead(news.text);
    return news;
}

void FileTail::skipToEnd()
{
    News ignored;
    openAndSeek(ignored);
    m_offset = m_seen.size;
    m_lastRead.clear();
}

} // namespace quadric::run
