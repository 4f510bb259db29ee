// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/typed_command.h"

#include "core/run/recipe/approval.h"

#include <algorithm>

namespace quadric::app {

namespace {

bool hasText(const study::Settings& settings)
{
    return std::ranges::any_of(
        settings, [](const auto& each) { return std::holds_alternative<std::string>(each.second); });
}

/// No part of a command, and no text that one would be given.
bool bringsNothing(const study::Study& study)
{
    const study::Benchmark& benchmark = study.benchmark;
    return benchmark.argv.empty() && benchmark.env.empty() && benchmark.cwd.empty() &&
           !benchmark.slurm.holdsCommands() && !hasText(benchmark.options) && !hasText(study.fixed) &&
           std::ranges::all_of(study.factors, &study::Factor::isNumeric);
}

} // namespace

TypedCommand::TypedCommand(const study::Study& study, const std::filesystem::path& document,
                           const std::set<std::string>& made)
{
    const run::ApprovalRequest request(study, document);
    const bool isKnown = run::needsApproval(study) ? request.isApproved() : bringsNothing(study);
    m_isTyped = isKnown || made.contains(makeKey(study, document));
    m_before = request.recipe();
}

TypedCommand TypedCommand::none()
{
    TypedCommand command;
    command.m_isTyped = false;
    return command;
}

void TypedCommand::approve(const study::Study& study, const std::filesystem::path& document) const
{
    if (!m_isTyped)
        return;
    try {
        const run::ApprovalRequest request(study, document);
        if (request.recipe() != m_before)
            request.approve();
    } catch (const std::exception&) {
        return; // it is asked for before it is executed
    }
}

std::string TypedCommand::makeKey(study::Study study, const std::filesystem::path& document)
{
    study.benchmark.workload = "command";
    return run::ApprovalRequest(study, document).recipe();
}

} // namespace quadric::app
