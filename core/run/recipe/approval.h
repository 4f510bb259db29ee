// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/watched_files.h"
#include "core/study/study.h"

#include <QString>

#include <filesystem>
#include <stdexcept>

namespace quadric::run {

/// A study wants to execute a command that the user has not approved.
class ApprovalError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The built-in workload needs no permission; a command of the study's own does, and so do lines and options
/// that it brings for the batch scripts of Slurm.
bool needsApproval(const study::Study& study);

/// One thing that decides what is executed, in words that are quoted (quoteWord()).
struct RecipeLine {
    std::string label; ///< "Folder", "Variable", "Levels"
    std::vector<std::string> words;
    bool operator==(const RecipeLine&) const = default;
};

/// What the user is asked to approve, as it is when this is made: the recipe, and the content of the files
/// that its command names. What is approved is what question() has shown, whatever has changed since.
class ApprovalRequest {
public:
    /// `document` is where the study is or will be.
    ApprovalRequest(const study::Study& study, const std::filesystem::path& document);

    /// Everything that decides what is executed but for the content of files, of values, not of what was
    /// typed: command, environment, folder, the result file, what Slurm is told, and every text that the
    /// command is given (fixed settings, options, levels). Patterns for its output execute nothing and are no
    /// part.
    std::string recipe() const;

    /// The recipe and the digests of the files, as canonical JSON: what an approval is of.
    std::string text() const;

    /// True when nothing has to be approved or when exactly this is.
    bool isApproved() const;

    /// What is different from what was approved last for this document, and what would be executed. No line
    /// is longer than 80 columns, and none begins with a text of the study.
    QString question() const;

    /// Remembers it for this user in $XDG_CONFIG_HOME/quadric/approvals.json, in the place of what was
    /// approved for the document before. Of processes that do so at the same time each waits for the others.
    /// A store that cannot be read approves nothing, and is moved aside. Throws ApprovalError when it cannot
    /// be written.
    void approve() const;

private:
    bool m_isNeeded;
    std::string m_document; ///< resolved
    std::vector<RecipeLine> m_lines;
    FileDigests m_files;
    std::vector<std::string> m_firstRun; ///< its command, quoted
    std::string m_program;               ///< where a bare name in argv[0] is found
};

/// A study that may be executed as it is. There is no other way to make one than requireApproval(), and none
/// to start a worker without one (see Launch).
class ApprovedStudy {
public:
    /// Without its runs.
    const study::Study& study() const { return m_study; }
    const std::filesystem::path& document() const { return m_document; }

private:
    friend ApprovedStudy requireApproval(const study::Study& study, const std::filesystem::path& document,
                                         const std::string& approvedNow);
    ApprovedStudy(const study::Study& study, std::filesystem::path document);

    study::Study m_study;
    std::filesystem::path m_document;
};

/// Throws ApprovalError, which says what would be executed, unless the user has approved it. `approvedNow`:
/// the text() of what was approved for this start alone, where approve() could not remember it.
ApprovedStudy requireApproval(const study::Study& study, const std::filesystem::path& document,
                              const std::string& approvedNow = {});

} // namespace quadric::run
