// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/typed_number.h"

#include <QRegularExpression>

#include <cmath>

namespace quadric::widgets {

std::optional<double> typedNumber(const QString& text)
{
    static const QRegularExpression grouped(QStringLiteral("^[+-]?[1-9]\\d{0,2},\\d{3}$"));
    QString typed = text.trimmed();
    if (grouped.match(typed).hasMatch())
        return std::nullopt;
    bool isNumber = false;
    const double value = typed.replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&isNumber);
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace quadric::widgets
