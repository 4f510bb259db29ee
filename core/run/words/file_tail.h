// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/files/companion_file.h"

#include <QByteArray>

namespace quadric::run {

/// Reads on in a companion file while somebody, perhaps on another machine, appends to it. One that is not
/// there, or is none of ours (a link, a pipe), has nothing in it.
class FileTail {
public:
    struct Bounds {
        std::size_t mostAtOnce;  ///< bytes of one reading
        std::int64_t mostBehind; ///< where the end is farther away, what is before that is left out
    };
    /// `ownFolder` as for study::openCompanion().
    FileTail(std::filesystem::path path, std::filesystem::path ownFolder, Bounds bounds);

    struct News {
        QByteArray text;
        bool isStart = false; ///< it replaces what was read: the first reading, or a new file under the name
        bool isFull = false;  ///< there may be more at once
    };
    /// What has come since the last reading. A file that has become shorter was started afresh.
    News read();
    /// The same, whole lines only, each with its end. What fills a reading without an end is no line of ours
    /// and left out.
    News readLines();
    /// The next reading brings what comes from now on.
    void skipToEnd();

private:
    study::FileHandle openAndSeek(News& news);
    News readOn();
    bool isAsRead(const study::FileHandle& file) const;
    void noteRead(const QByteArray& text);

    std::filesystem::path m_path, m_ownFolder;
    Bounds m_bounds;
    study::FileIdentity m_seen;
    std::int64_t m_offset = -1; ///< −1: nothing was read yet
    QByteArray m_lastRead;      ///< the bytes before it
};

} // namespace quadric::run
