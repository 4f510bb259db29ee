// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/files/document_state.h"
#include "core/study/study.h"

#include <filesystem>
#include <functional>
#include <stdexcept>

namespace quadric::study {

/// Bad input: names file, path in the document, value found and what was expected, in one sentence.
class DocumentError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The file is not the one that was expected: another program has changed, removed or made it.
class DocumentChanged : public DocumentError {
public:
    using DocumentError::DocumentError;
};

struct LoadedStudy {
    Study study;
    std::vector<std::string> warnings; ///< unknown keys, torn journal line, problems found by validate()
    int journalRecords = 0;            ///< records of the journal beside the document that were applied
    /// Why the journal was not applied, and what to do, in words (findForeign()); also among the warnings.
    /// Nobody may measure into the study then.
    std::string refusedJournal = {};
    bool isJournalBroken = false; ///< some of its lines cannot be read
    DocumentState state = {};     ///< of the document, where it was read from a file
};

/// Document text → study, without touching the disk. `name` stands in messages. Throws DocumentError, also
/// for those problems found by validate() that are errors; the others become warnings.
LoadedStudy parseStudy(std::string_view text, const std::string& name);

/// Study → document text: stable key order, C locale, unknown keys kept.
std::string writeStudy(const Study& study);

/// Reads document and, where there is one, the journal beside it (see study-format.md). A journal of another
/// study is left alone, with a warning. Throws DocumentError.
LoadedStudy loadStudy(const std::filesystem::path& path);

/// The document as it is, whatever its journal says. Throws DocumentError.
LoadedStudy loadWithoutJournal(const std::filesystem::path& path);

/// Atomic replace: temporary file beside it, sync, rename, sync of the folder. Throws DocumentError, and
/// DocumentChanged where the file is not in the `expected` state any more (the default one: there is no
/// file); the old file stays whole. Returns the new state.
DocumentState saveStudy(const Study& study, const std::filesystem::path& path,
                        const std::optional<DocumentState>& expected = {});

/// Saves a new study: there is no such file yet. Logs and events that a former study of this name has left
/// are set aside ("….former"), so that nobody takes them for those of the new one. Throws DocumentError.
void saveNewStudy(const Study& study, const std::filesystem::path& path);

/// Reads the study, with its journal, and saves what `edit` makes of it, also while a runner owns it: the
/// document is no runner's. Where another program saves meanwhile, both are done again. Returns what was
/// saved. Throws DocumentError.
Study editStudy(const std::filesystem::path& path, const std::function<Study(Study)>& edit);

/// JSON text of a run or of the settings on one line, as in the document (for the worker, events and --json).
/// Throw DocumentError for a number that is not finite.
std::string writeRun(const Run& run);
std::string writeSettings(const Settings& settings);
/// The same of `benchmark.parse`, empty for the worker protocol, and of `benchmark.slurm`.
std::string writeParse(const ParseSpec& spec);
std::string writeSlurm(const SlurmOptions& options);
Settings parseSettings(std::string_view text, const std::string& name);

} // namespace quadric::study
