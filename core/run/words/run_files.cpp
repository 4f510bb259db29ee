// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_files.h"

#include "core/run/words/run_log.h"

#include <QFile>

namespace quadric::run {

LineTail::LineTail(std::filesystem::path path)
    : m_path(std::move(path))
{
}

LineTail::Lines LineTail::read()
{
    const study::FileIdentity now = study::identityOf(m_path);
    const bool isSame = now.inode == m_seen.inode && now.device == m_seen.device && now.size >= m_offset;
    Lines lines{.text = {}, .isStart = m_offset < 0 || !isSame};
    if (lines.isStart)
        m_offset = 0;
    m_seen = now;
    QFile file(QString::fromStdString(m_path.string()));
    if (!file.open(QIODevice::ReadOnly) || !file.seek(m_offset))
        return lines;
    lines.text = file.readAll();
    lines.text.truncate(lines.text.lastIndexOf('\n') + 1);
    m_offset += lines.text.size();
    return lines;
}

RunFiles::RunFiles(const std::filesystem::path& document, int runId)
    : m_log(logPath(document, runId))
    , m_samples(samplesPath(document, runId))
{
}

RunFiles::News RunFiles::read()
{
    const LineTail::Lines log = m_log.read();
    const LineTail::Lines samples = m_samples.read();
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
    return log.isEmpty() && samples.steps.empty() && samples.machine.empty() && !isNewLog && !isNewSamples;
}

} // namespace quadric::run
