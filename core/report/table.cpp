// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/table.h"

#include <cmath>

namespace quadric::report {

Cell makeCell(const std::optional<double>& value, Digits digits)
{
    return value && std::isfinite(*value) ? Cell(Number{*value, digits, {}}) : Cell();
}

Cell makeEstimateCell(const std::optional<double>& value, const std::optional<double>& uncertainty)
{
    return value && std::isfinite(*value) ? Cell(Number{*value, Digits::Significant, uncertainty}) : Cell();
}

std::optional<double> findNumber(const Cell& cell)
{
    if (const auto* whole = std::get_if<int>(&cell))
        return *whole;
    if (const auto* number = std::get_if<Number>(&cell))
        return number->value;
    if (const auto* bounded = std::get_if<Bounded>(&cell))
        return bounded->value;
    return std::nullopt;
}

} // namespace quadric::report
