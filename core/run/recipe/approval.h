// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QByteArray>
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

/// Everything that decides what is executed, as canonical JSON: the recipe, the folder in which it runs, and
/// every text that can get into the command from outside the recipe (fixed settings, options and level names
/// behind its placeholders).
std::string recipeText(const study::Study& study, const std::filesystem::path& document);

/// SHA-256 of recipeText(), in hexadecimal.
QByteArray recipeHash(const study::Study& study, const std::filesystem::path& document);

/// True when nothing has to be approved or when exactly this recipe is.
bool isApproved(const study::Study& study, const std::filesystem::path& document);

/// Throws ApprovalError, which says what would be executed, when it is not.
void requireApproval(const study::Study& study, const std::filesystem::path& document);

/// Remembers the recipe for this user, outside the document. Throws ApprovalError when that cannot be
/// written.
void approve(const study::Study& study, const std::filesystem::path& document);

/// What is to be approved, in words: command, environment, folder, and what is different from the recipe that
/// was approved last for this document.
QString approvalQuestion(const study::Study& study, const std::filesystem::path& document);

} // namespace quadric::run
