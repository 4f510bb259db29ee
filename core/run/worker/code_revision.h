// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>
#include <QString>

#include <optional>
#include <string>

namespace quadric::run {

/// Which version of the user's code is executed.
struct Revision {
    std::string commit;      ///< empty before the first commit
    bool hasChanges = false; ///< tracked files differ from it
    bool operator==(const Revision&) const = default;
};

/// Reads `git status --porcelain=v2 --branch`; empty for any other text.
std::optional<Revision> parseRevision(const QByteArray& text);

/// Asks git which version of the code lies in a folder, beside the run and without ever waiting for long.
class CodeRevision : public QObject {
    Q_OBJECT

public:
    explicit CodeRevision(const QString& folder);
    ~CodeRevision() override;

    /// Empty where the folder is in no repository, there is no git, or git has no answer yet.
    std::optional<Revision> found();

private:
    QProcess m_git;
    QByteArray m_text;
};

} // namespace quadric::run
