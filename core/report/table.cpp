// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/table.h"

namespace quadric::report {

std::optional<double> findNumber(const Cell& cell)
{
    if (const auto* number = std::get_if<double>(&cell))
        return *number;
    if (const auto* estimate = std::get_if<Estimate>(&cell))
        return estimate->value;
    if (const auto* probability = std::get_if<Probability>(&cell))
        return probability->p;
    return std::nullopt;
}

Cell makeCell(const std::optional<double>& value)
{
    return value ? Cell(*value) : Cell();
}

Cell makeProbabilityCell(const std::optional<double>& p)
{
    return p ? Cell(Probability{*p}) : Cell();
}

} // namespace quadric::report
