// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/recipe.h"

#include <QObject>
#include <QProcess>
#include <QString>

#include <optional>
#include <string>

namespace quadric::run {

/// Which version of the user's code is executed.
struct Revision {
    std::string commit = {};             ///< empty before the first commit
    std::optional<bool> hasChanges = {}; ///< tracked files differ from it; empty: not looked for
    bool operator==(const Revision&) const = default;
};

/// Reads `git status --porcelain=v2 --branch`; empty for any other text.
std::optional<Revision> parseRevision(const QByteArray& text);

/// Asks git which version of the code a folder has, beside the run and without ever waiting for long. Nothing
/// that the repository configures is executed: hooks, file monitors and transports are switched off, and
/// changes are looked for only where no tracked file has a filter, which git would have to execute for it.
class CodeRevision : public QObject {
    Q_OBJECT

public:
    explicit CodeRevision(const QString& folder);
    ~CodeRevision() override;

    /// Empty where the folder is in no repository, there is no git, or git has no answer yet.
    std::optional<Revision> found() { return m_found; }

private:
    void ask(const QStringList& arguments);
    void takeAnswer();

    /// Which tracked files have filters; then the commit, with changes or without.
    enum class Step { Filters, Status, Commit };

    QProcess m_git;
    QByteArray m_text;
    Step m_step = Step::Filters;
    std::optional<Revision> m_found;
};

/// Notes what decides how a worker runs beside its command: the kernel, and of the environment what
/// keepHarmless() leaves.
void recordSurroundings(const Launch& launch, study::Provenance& provenance);

/// Of the variables those whose names are on a list of settings of libraries, launchers and Slurm, and whose
/// values hold nothing that looks like a secret (core/text/secrets.h).
void keepHarmless(std::map<std::string, std::string>& environment);

} // namespace quadric::run
