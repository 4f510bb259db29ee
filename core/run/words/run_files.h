// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/run_samples.h"
#include "core/study/file.h"

#include <QByteArray>
#include <QString>

namespace quadric::run {

/// A file to which somebody appends lines: read on from where the last reading ended.
class LineTail {
public:
    explicit LineTail(std::filesystem::path path);

    struct Lines {
        QByteArray text;      ///< whole lines, each with its end
        bool isStart = false; ///< they begin the file: the first reading, or a new file under the name
    };
    Lines read();

private:
    std::filesystem::path m_path;
    study::FileIdentity m_seen;
    qint64 m_offset = -1; ///< −1: nothing was read yet
};

/// What a run has left beside the study: its log and its samples, of the attempt in progress or of the last
/// one, whoever executed it.
class RunFiles {
public:
    RunFiles(const std::filesystem::path& document, int runId);

    struct News {
        QString log;
        RunSamples samples;
        bool isNewLog = false, isNewSamples = false; ///< they replace what was read before
        bool isEmpty() const;
    };
    /// What came since the last reading; everything the first time.
    News read();

private:
    LineTail m_log, m_samples;
};

} // namespace quadric::run
