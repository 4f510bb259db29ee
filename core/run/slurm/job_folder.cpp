// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/job_folder.h"

#include "core/run/words/run_log.h"
#include "core/study/file.h"

#include <QDir>
#include <QFile>

namespace quadric::run {

namespace {

/// Of small files that a job writes.
constexpr qint64 kMostBytesOfNote = 65536;

std::string noteIn(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.read(kMostBytesOfNote).toStdString() : std::string();
}

} // namespace

JobFolder::JobFolder(const std::filesystem::path& document, const std::string& name)
    : m_path(std::filesystem::absolute(logFolder(document)) / name)
{
}

void JobFolder::write(const std::string& text) const
{
    QDir().mkpath(QString::fromStdString(m_path.string()));
    study::replaceFile(script(), text);
}

std::string JobFolder::claim() const
{
    return jobIdFrom(noteIn(m_path / "claim"));
}

std::optional<JobEnd> JobFolder::end() const
{
    return jobEndFrom(noteIn(m_path / "end"));
}

bool JobFolder::tooMuch() const
{
    return std::filesystem::exists(m_path / "too-much");
}

QByteArray FileTail::readMore()
{
    QFile file(QString::fromStdString(m_file.string()));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const auto size = static_cast<std::uintmax_t>(file.size());
    if (size < m_read)
        m_read = 0;
    if (size - m_read > kMostBytes)
        m_read = size - kMostBytes;
    file.seek(static_cast<qint64>(m_read));
    QByteArray more = file.read(static_cast<qint64>(kMostBytes));
    m_read += static_cast<std::uintmax_t>(more.size());
    return more;
}

} // namespace quadric::run
