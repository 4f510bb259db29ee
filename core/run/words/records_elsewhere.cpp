// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/records_elsewhere.h"

#include "core/run/words/study_key.h"

#include <QDir>

namespace quadric::run {

std::filesystem::path stateFolder()
{
    const QString chosen = qEnvironmentVariable("XDG_STATE_HOME");
    const QString state =
        QDir::isAbsolutePath(chosen) ? chosen : QDir::homePath() + QStringLiteral("/.local/state");
    return (state + QStringLiteral("/quadric")).toStdString();
}

std::filesystem::path studyElsewhere(const std::filesystem::path& document)
{
    return stateFolder() / studyKey(document).toStdString();
}

std::filesystem::path journalElsewhere(const std::filesystem::path& document)
{
    return study::journalPath(studyElsewhere(document));
}

std::filesystem::path recoveredElsewhere(const std::filesystem::path& document)
{
    return studyElsewhere(document) / study::resolved(document).filename();
}

std::optional<std::filesystem::path> findRecovered(const std::filesystem::path& document)
{
    for (const auto& path :
         {study::recoveredPath(document), study::recoveredPath(recoveredElsewhere(document))}) {
        if (study::isThere(path))
            return path;
    }
    return std::nullopt;
}

std::string hintAtRecovered(const std::filesystem::path& document)
{
    const auto recovered = findRecovered(document);
    return recovered ? "; what a runner has measured for it is in " + recovered->string() : std::string();
}

std::vector<study::Run> recordsElsewhere(const std::filesystem::path& document)
{
    return study::readJournal(studyElsewhere(document)).runs;
}

} // namespace quadric::run
