// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/interval_output.h"

#include "core/text/numbers.h"

namespace quadric::app {

Json intervalJson(const std::optional<model::Interval>& interval)
{
    return interval ? Json{interval->low, interval->high} : Json();
}

std::string intervalText(const std::optional<model::Interval>& interval)
{
    return interval ? text::formatRange(interval->low, interval->high) : std::string(text::kNothing);
}

} // namespace quadric::app
