// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/cell_text.h"

#include "widgets/base/theme.h"

namespace quadric::widgets {

QString nothingText()
{
    return QStringLiteral("–");
}

QString numberCell(const std::optional<double>& value, std::optional<double> uncertainty)
{
    return value ? formatNumber(*value, uncertainty) : nothingText();
}

QString ratioCell(const std::optional<double>& value)
{
    constexpr double kHundredths = 0.1; // an uncertainty of which two digits are shown
    return numberCell(value, kHundredths);
}

QString probabilityCell(const std::optional<double>& p)
{
    return p ? formatP(*p) : nothingText();
}

} // namespace quadric::widgets
