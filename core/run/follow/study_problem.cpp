// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/study_problem.h"

#include "core/run/words/records_elsewhere.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"

#include <set>

namespace quadric::run {

namespace {

/// "results of runs 2 and 3 are kept in FILE"; records of runs that have not ended hold no results.
std::string placeOf(const KeptElsewhere& kept)
{
    return (kept.runs.empty() ? "records" : "results of " + text::formatRuns(kept.runs)) + " are kept in " +
           kept.file.string();
}

/// Of a file that cannot be read: none. The next runner refuses to start, and says why.
std::vector<int> endedRuns(const std::filesystem::path& document)
{
    std::set<int> ended;
    try {
        for (const study::Run& record : recordsElsewhere(document)) {
            if (record.status == study::RunStatus::Done || record.status == study::RunStatus::Failed)
                ended.insert(record.id);
        }
    } catch (const study::DocumentError&) {
        return {};
    }
    return {ended.begin(), ended.end()};
}

/// Also where no runner is at work: until somebody takes the file away.
std::string recoveredInWords(const std::filesystem::path& document)
{
    const auto recovered = findRecovered(document);
    return recovered ? "A runner could not put all results into the study and has left them in " +
                           recovered->string() + ". Open that file, take what is missing, and move it away."
                     : std::string();
}

std::string folderOf(const std::filesystem::path& document)
{
    return std::filesystem::absolute(study::resolved(document)).parent_path().string();
}

} // namespace

std::optional<KeptElsewhere> keptElsewhere(const std::filesystem::path& document)
{
    const std::filesystem::path file = journalElsewhere(document);
    if (!study::isThere(file))
        return std::nullopt;
    return KeptElsewhere{file, endedRuns(document)};
}

std::string problemOfStudy(const std::filesystem::path& document, const RunnerNews& news, bool isRunning,
                           const std::string& answered)
{
    const std::optional<KeptElsewhere> kept = keptElsewhere(document);
    const std::string folder = folderOf(document);
    if (!isRunning && !kept)
        return recoveredInWords(document);
    if (!isRunning)
        return "The study could not be written while it was executed: " + placeOf(*kept) + ". Make " +
               folder + " writable and start the runner again: it brings them into the study first.";
    std::string what = news.problem;
    if (what.empty())
        what = kept ? "The study cannot be written; " + placeOf(*kept) + ", and no further run is started"
                    : answered;
    return what.empty() ? what
                        : what + ". Make " + folder +
                              " writable again: the runner tries once a second, and goes on by itself.";
}

} // namespace quadric::run
