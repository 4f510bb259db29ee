// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the journal holds: it is refused, or a run appended to it is its last one and none before it is
// lost.
#include "core/study/files/journal.h"
#include "core/study/document/document.h"

#include "fuzz.h"

using namespace quadric;

namespace {

void appendAfter(const std::filesystem::path& document, std::string_view journal)
{
    std::ofstream(study::journalPath(document), std::ios::binary) << journal;
    const study::JournalContents before = study::readJournal(document);
    study::Run run;
    run.id = 4711;
    study::JournalWriter(document).append(run);
    const study::JournalContents after = study::readJournal(document);
    fuzz::expect(!after.tornLine, "a torn line stays behind an appended run");
    fuzz::expect(after.runs.size() == before.runs.size() + 1, "an appended run changes the runs before it");
    fuzz::expect(after.runs.back().id == run.id, "the appended run is not the last");
    study::Study study;
    study::applyJournal(after, study);
    fuzz::expect(study::findRun(study, run.id) != nullptr, "the appended run does not reach the study");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const fuzz::Folder folder;
    try {
        appendAfter(folder / "fuzz.quadric", fuzz::textOf(data, size));
    } catch (const study::DocumentError&) {
        return 0;
    }
    return 0;
}
