// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/code_revision.h"

#include <QProcessEnvironment>

namespace quadric::run {

namespace {

constexpr qsizetype kMostBytes = qsizetype{1} << 20;

/// No lock is taken, and an object that a partial clone lacks is not fetched: every transport executes
/// something.
QProcessEnvironment harmlessEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("GIT_OPTIONAL_LOCKS"), QStringLiteral("0"));
    environment.insert(QStringLiteral("GIT_NO_LAZY_FETCH"), QStringLiteral("1"));
    environment.insert(QStringLiteral("GIT_ALLOW_PROTOCOL"), QStringLiteral("none"));
    environment.insert(QStringLiteral("GIT_TERMINAL_PROMPT"), QStringLiteral("0"));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    return environment;
}

} // namespace

std::optional<Revision> parseRevision(const QByteArray& text)
{
    constexpr auto kCommit = "# branch.oid ";
    std::optional<Revision> revision;
    for (const QByteArray& line : text.split('\n')) {
        if (line.startsWith(kCommit)) {
            const QByteArray commit = line.mid(qstrlen(kCommit)).trimmed();
            revision = Revision{commit == "(initial)" ? "" : commit.toStdString(), false};
        } else if (revision && !line.isEmpty() && !line.startsWith('#')) {
            revision->hasChanges = true;
        }
    }
    return revision;
}

CodeRevision::CodeRevision(const QString& folder)
{
    m_git.setProcessEnvironment(harmlessEnvironment());
    m_git.setWorkingDirectory(folder);
    m_git.setStandardErrorFile(QProcess::nullDevice());
    m_git.setStandardInputFile(QProcess::nullDevice());
    connect(&m_git, &QProcess::readyReadStandardOutput, this, [this] {
        const QByteArray bytes = m_git.readAllStandardOutput();
        if (m_text.size() < kMostBytes)
            m_text += bytes;
    });
    connect(&m_git, &QProcess::finished, this, &CodeRevision::takeAnswer);
    ask({QStringLiteral("ls-files"), QStringLiteral("--cached"), QStringLiteral("-z"), QStringLiteral("--"),
         QStringLiteral(":(top)"), QStringLiteral(":(top,exclude,attr:!filter)")});
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
    return m_found;
}

/// Options of the command line win over what the repository configures.
void CodeRevision::ask(const QStringList& arguments)
{
    m_text.clear();
    m_git.start(QStringLiteral("git"),
                QStringList{QStringLiteral("-c"), QStringLiteral("core.fsmonitor=false"),
                            QStringLiteral("-c"), QStringLiteral("core.hooksPath=/dev/null")} +
                    arguments);
}

void CodeRevision::takeAnswer()
{
    const bool isGood = m_git.exitStatus() == QProcess::NormalExit && m_git.exitCode() == 0;
    if (m_step == Step::Filters) {
        const bool hasFilters = !isGood || !m_text.isEmpty();
        m_step = hasFilters ? Step::Commit : Step::Status;
        ask(hasFilters
                ? QStringList{QStringLiteral("rev-parse"), QStringLiteral("--verify"), QStringLiteral("HEAD")}
                : QStringList{QStringLiteral("status"), QStringLiteral("--porcelain=v2"),
                              QStringLiteral("--branch"), QStringLiteral("--no-ahead-behind"),
                              QStringLiteral("--no-renames"), QStringLiteral("--untracked-files=no"),
                              QStringLiteral("--ignore-submodules=all")});
    } else if (isGood) {
        m_found = m_step == Step::Status ? parseRevision(m_text)
                                         : std::optional(Revision{m_text.trimmed().toStdString()});
    }
}

} // namespace quadric::run
