// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/file_tail.h"
#include "core/run/words/run_samples.h"

#include <QString>

namespace quadric::run {

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
    FileTail m_log, m_samples;
};

} // namespace quadric::run
