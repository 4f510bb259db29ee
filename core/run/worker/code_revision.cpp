// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/code_revision.h"

#include <QProcessEnvironment>

namespace quadric::run {

namespace {

constexpr qsizetype kMostBytes = qsizetype{1} << 20;

} // namespace

std::optional<Revision> parseRevision(const QByteArray& text)
{
    constexpr auto kCommit = "# branch.oid ";
    std::optional<Revision> revision;
    for (const QByteArray& line : text.split('\n')) {
        if (line.startsWith(kCommit)) {
            const QByteArray commit = line.mid(qstrlen(kCommit)).trimmed();
            revision = Revision{commit == "(initial)" ? "" : commit.toStdString()};
        } else if (revision && !line.isEmpty() && !line.startsWith('#')) {
            revision->hasChanges = true;
        }
    }
    return revision;
}

/// A repository's own settings must not make git execute anything.
CodeRevision::CodeRevision(const QString& folder)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("GIT_OPTIONAL_LOCKS"), QStringLiteral("0"));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    m_git.setProcessEnvironment(environment);
    m_git.setWorkingDirectory(folder);
    m_git.setStandardErrorFile(QProcess::nullDevice());
    m_git.setStandardInputFile(QProcess::nullDevice());
    connect(&m_git, &QProcess::readyReadStandardOutput, this, [this] {
        const QByteArray bytes = m_git.readAllStandardOutput();
        if (m_text.size() < kMostBytes)
            m_text += bytes;
    });
    m_git.start(QStringLiteral("git"), {QStringLiteral("-c"), QStringLiteral("core.fsmonitor=false"),
                                        QStringLiteral("-c"), QStringLiteral("core.hooksPath=/dev/null"),
                                        QStringLiteral("status"), QStringLiteral("--porcelain=v2"),
                                        QStringLiteral("--branch"), QStringLiteral("--untracked-files=no")});
}

CodeRevision::~CodeRevision()
{
    m_git.disconnect(this);
    if (m_git.state() == QProcess::NotRunning)
        return;
    m_git.kill();
    m_git.waitForFinished();
}

std::optional<Revision> CodeRevision::found()
{
    const bool isAnswered = m_git.state() == QProcess::NotRunning && m_git.exitCode() == 0;
    return isAnswered ? parseRevision(m_text) : std::nullopt;
}

} // namespace quadric::run
