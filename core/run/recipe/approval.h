// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval_store.h"
#include "core/study/files/file.h"
#include "core/study/study.h"

#include <QString>

#include <filesystem>

namespace quadric::run {

/// The built-in workload needs no permission; a command of the study's own does, and so do lines and options
/// that it brings for the batch scripts of Slurm.
bool needsApproval(const study::Study& study);

/// What the user is asked to approve, as it is when this is made: the recipe, and the content of the files
/// that its command names. What is approved is what question() has shown, whatever has changed since.
class ApprovalRequest {
public:
    /// `document` is where the study is or will be.
    ApprovalRequest(const study::Study& study, const std::filesystem::path& document);

    /// Everything that decides what is executed but for the content of files, as canonical JSON of values,
    /// not of what was typed: command, environment, folder, the result file, what Slurm is told, and every
    /// text that the command is given (fixed settings, options, levels). Patterns for its output execute
    /// nothing and are no part.
    const std::string& recipe() const { return m_recipe; }
    const FileNames& names() const { return m_names; }
    const FileDigests& files() const { return m_files; }

    /// True when nothing has to be approved or when exactly this is.
    bool isApproved() const
    {
        return !m_isNeeded || (m_stored && findChangedFiles(*m_stored, m_files).empty());
    }

    /// What is different from what was approved last for this document, and what would be executed. No line
    /// is longer than 80 columns, and none begins with a text of the study.
    QString question() const;

    /// Remembers it for this user, outside the document. Throws ApprovalError when that cannot be written.
    void approve() const;

private:
    bool m_isNeeded;
    std::string m_document; ///< resolved
    std::string m_recipe;
    FileNames m_names;
    FileDigests m_files;
    std::vector<std::string> m_firstRun;    ///< its command
    std::string m_program;                  ///< where a bare name in argv[0] is found
    std::optional<StoredApproval> m_stored; ///< of this recipe
};

/// A study that may be executed as it is. There is no other way to make one than requireApproval(), and none
/// to start a worker without one (see Launch).
class ApprovedStudy {
public:
    /// Without its runs.
    const study::Study& study() const { return m_study; }
    const std::filesystem::path& document() const { return m_document; }

    /// A run has ended. Files that came into being meanwhile are written by the command, and not watched from
    /// now on. So are those that have changed in two runs in a row (somebody who edits a script beside a run
    /// does that once), but about these the user is asked first. A store that cannot be written is left as it
    /// is.
    void noteWrittenFiles();

private:
    friend ApprovedStudy requireApproval(const study::Study& study, const std::filesystem::path& document);
    ApprovedStudy(const study::Study& study, const std::filesystem::path& document,
                  const ApprovalRequest& request);

    study::Study m_study;
    std::filesystem::path m_document;
    std::string m_hash; ///< of the recipe; empty where it needs no approval
    FileNames m_names;  ///< without programs: these are watched whatever happens
    std::map<std::string, study::FileIdentity> m_identities; ///< of what these names stand for
    std::map<std::string, int> m_runsOfChange;               ///< how many runs in a row each has changed in
};

/// Throws ApprovalError, which says what would be executed, unless the user has approved it.
ApprovedStudy requireApproval(const study::Study& study, const std::filesystem::path& document);

} // namespace quadric::run
