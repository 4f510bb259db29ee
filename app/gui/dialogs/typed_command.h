// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <filesystem>
#include <set>
#include <string>

namespace quadric::app {

/// What was typed into this window, whose author is not asked whether it may run. What a file brings is none
/// of it: a study that is edited must have been approved as it was, have been made in this session, or have
/// brought nothing that a command would be given.
class TypedCommand {
public:
    /// Of a new study.
    TypedCommand() = default;
    /// Of a study that is edited. `made` is what was made in this session, see makeKey().
    TypedCommand(const study::Study& study, const std::filesystem::path& document,
                 const std::set<std::string>& made);

    /// Of a study that begins with what another one brings: nothing of it was typed.
    static TypedCommand none();

    bool isTyped() const { return m_isTyped; }

    /// Approves the command of `study` where it was typed, at the moment in which its author wants it. What
    /// was not changed is left to the approval that it has. Where the approval cannot be kept, the question
    /// comes later.
    void approve(const study::Study& study, const std::filesystem::path& document) const;

    /// What would be executed if the study were measured by a command.
    static std::string makeKey(study::Study study, const std::filesystem::path& document);

private:
    bool m_isTyped = true;
    std::string m_before; ///< recipe of the study that is edited; empty: none
};

} // namespace quadric::app
