// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace quadric::widgets {

/// What stands in a cell of a table that has nothing to say.
QString nothingText();

/// formatNumber(), or nothingText() where there is no number.
QString numberCell(const std::optional<double>& value, std::optional<double> uncertainty = {});

/// t, F and VIF: two decimals, whatever their size.
QString ratioCell(const std::optional<double>& value);

/// formatP(), or nothingText() where there is no test.
QString probabilityCell(const std::optional<double>& p);

} // namespace quadric::widgets
