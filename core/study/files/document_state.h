// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/files/file.h"
#include "core/study/study.h"

namespace quadric::study {

/// What the file of a document was and contained at one moment: how a change by another program is noticed.
struct DocumentState {
    FileIdentity identity = {}; ///< all zero: there was no file
    std::size_t hash = 0;       ///< of the content, comparable within one process
};

/// Both are states without a file, or of files with the same content.
bool hasSameContent(const DocumentState& a, const DocumentState& b);

/// The state of a file that contains `text`.
DocumentState makeState(const FileIdentity& identity, std::string_view text);

/// The state of the file now. Throws DocumentError when it cannot be read.
DocumentState readState(const std::filesystem::path& document);

/// Held while a document is compared and replaced, so that two of our programs never do that at once: an
/// advisory lock on its folder, for milliseconds. Where the file system has no such locks, or where somebody
/// else holds it for long (anybody who may read the folder can), there is none.
class SaveLock {
public:
    explicit SaveLock(const std::filesystem::path& document);

private:
    FileHandle m_folder;
};

/// Keeps a version of a study beside its document as "NAME (conflict).quadric", with a number where that name
/// is taken. Returns its path. Throws DocumentError.
std::filesystem::path keepBeside(const std::filesystem::path& document, std::string_view text);

/// An id that no other study has: 32 random hexadecimal digits. A study keeps it whatever is edited, and so
/// do its copies.
std::string makeStudyId();

/// Tells a study from another one in the file of the same name: its id; of a document without one, a hash of
/// its name and of what is measured (workload, command, fixed settings).
std::string computeIdentity(const Study& study);

} // namespace quadric::study
