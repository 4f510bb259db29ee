// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_commands.h"

#include "app/cli/commands.h"
#include "core/text/numbers.h"

namespace quadric::app {

double requirePositive(const std::string& option, double value)
{
    if (!(value > 0.0))
        throw UsageError(option + ": " + text::formatExactly(value) + ", expected more than 0");
    return value;
}

void addPlan(CommandLine& line)
{
    CLI::App* plan = line.app.add_subcommand("plan", "Plan with what the runs have shown: queues");
    plan->require_subcommand(1);
    addPlanQueue(*plan);
}

} // namespace quadric::app
