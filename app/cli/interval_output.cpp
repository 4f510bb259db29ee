// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interval_output.h"

#include "app/cli/text_table.h"

namespace quadric::app {

Json intervalJson(const std::optional<model::Interval>& interval)
{
    return interval ? Json{interval->low, interval->high} : Json();
}

std::string intervalText(const std::optional<model::Interval>& interval)
{
    return interval ? numberText(interval->low) + " … " + numberText(interval->high) : "–";
}

} // namespace quadric::app
