// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/study_place.h"

#include "core/run/words/events.h"
#include "core/run/words/run_log.h"
#include "core/study/document/document.h"
#include "core/study/files/companion_file.h"
#include "core/study/files/journal.h"

namespace quadric::run {

void checkPlace(const std::filesystem::path& document)
{
    const std::string path = std::filesystem::absolute(document).string();
    if (QString::fromStdString(path).toStdString() != path)
        throw study::DocumentError(
            document.string() + ": the folder " + std::filesystem::path(path).parent_path().string() +
            ", expected a path in UTF-8; rename the folder or the file, or move the study");
    study::refuseImpostor(study::lockPath(document), study::CompanionUse::Append);
    study::refuseImpostor(study::journalPath(document), study::CompanionUse::Append);
    study::refuseImpostor(eventsPath(document), study::CompanionUse::CreateAnew);
    study::refuseImpostorOfFolder(logFolder(document));
}

} // namespace quadric::run
