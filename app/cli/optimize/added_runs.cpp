// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/optimize/added_runs.h"

#include "core/study/document/merge.h"
#include "core/study/files/journal.h"

namespace quadric::app {

std::vector<int> addRunsToFile(const std::string& path, const std::vector<study::Settings>& settings,
                               study::RunKind kind)
{
    const study::StudyLock lock(path);
    study::foldJournal(path);
    const study::LoadedStudy loaded = study::loadStudy(path);
    const study::Study study = study::saveMerged(study::withRuns(loaded.study, settings, kind), loaded, path);
    std::vector<int> ids;
    for (std::size_t i = study.runs.size() - settings.size(); i < study.runs.size(); ++i)
        ids.push_back(study.runs[i].id);
    return ids;
}

} // namespace quadric::app
