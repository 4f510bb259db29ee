// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/interval_output.h"

#include "core/report/table_text.h"
#include "core/text/numbers.h"

namespace quadric::app {

Json intervalJson(const std::optional<model::Interval>& interval)
{
    return interval ? Json{interval->low, interval->high} : Json();
}

Json runProbabilityJson(const model::RunProbability& runs)
{
    return {{"probability", runs.probability}, {"low", runs.low}, {"high", runs.high}};
}

std::string intervalText(const std::optional<model::Interval>& interval)
{
    return interval ? text::formatRange(interval->low, interval->high) : std::string(text::kNothing);
}

std::optional<double> halfWidth(const std::optional<model::Interval>& interval)
{
    return interval ? std::optional((interval->high - interval->low) / 2.0) : std::nullopt;
}

std::string desirabilityText(double desirability)
{
    return formatCell(report::makeCell(desirability, report::Digits::Desirability));
}

} // namespace quadric::app
