// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_files.h"

#include "core/run/words/run_log.h"

#include <QList>

namespace quadric::run {

namespace {

/// Twice what Quadric writes into one of them.
constexpr std::size_t kMostBytes = 2 * RunLog::kMostBytes;

FileTail tailOf(const std::filesystem::path& path)
{
    return FileTail(path, path.parent_path(), {kMostBytes, kMostBytes});
}

} // namespace

RunFiles::RunFiles(const std::filesystem::path& document, int runId)
    : m_log(tailOf(logPath(document, runId)))
    , m_samples(tailOf(samplesPath(document, runId)))
{
}

RunFiles::News RunFiles::read()
{
    const FileTail::News log = m_log.readLines();
    const FileTail::News samples = m_samples.readLines();
    News news{.log = QString::fromUtf8(log.text),
              .samples = {},
              .isNewLog = log.isStart,
              .isNewSamples = samples.isStart};
    for (const QByteArray& line : samples.text.split('\n'))
        addSample(news.samples, {line.constData(), static_cast<std::size_t>(line.size())});
    return news;
}

bool RunFiles::News::isEmpty() const
{
    return log.isEmpty() && samples.isEmpty() && !isNewLog && !isNewSamples;
}

} // namespace quadric::run
