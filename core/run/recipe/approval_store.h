// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/watched_files.h"

#include <functional>
#include <optional>
#include <stdexcept>

namespace quadric::run {

/// A study wants to execute a command that the user has not approved.
class ApprovalError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the user has agreed to: a recipe, and the content of the files that its command names.
struct StoredApproval {
    std::string recipe = {}; ///< canonical JSON; found by its SHA-256
    FileDigests files = {};
    std::set<std::string> written = {};   ///< names of files that the command writes: not watched
    std::set<std::string> rewritten = {}; ///< approved by content, and changed by run after run
};

/// Names of files that are new, gone, or have another content than the one that was approved.
std::vector<std::string> findChangedFiles(const StoredApproval& approval, const FileDigests& now);

// The store is $XDG_CONFIG_HOME/quadric/approvals.json. What cannot be read of it approves nothing.

std::optional<StoredApproval> findApproval(const std::string& hash);

/// What was approved last for a document, by its resolved path.
struct LastApproval {
    std::optional<StoredApproval> approval = {};
    bool isOfEarlierVersion = false; ///< of Quadric, which did not look at the content of files
};
LastApproval findLastApproval(const std::string& document);

/// Changes the approval with this hash, a new one where there is none, and makes it the last one of the
/// document. Of processes that do so at the same time each waits for the others. A store that cannot be read
/// is moved aside. Throws ApprovalError.
void storeApproval(const std::string& hash, const std::string& document,
                   const std::function<void(StoredApproval&)>& change);

/// The same, and nothing where there is no such approval (any more).
void updateApproval(const std::string& hash, const std::function<void(StoredApproval&)>& change);

/// SHA-256 in hexadecimal.
std::string hashSha256(const std::string& text);

} // namespace quadric::run
