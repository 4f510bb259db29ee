// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/sheets/refused_number.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace quadric::widgets {

QString whyNoNumber(const QString& what, const QString& text)
{
    static const QRegularExpression digits(QStringLiteral("^[+-]?[\\d.,]+(e[+-]?\\d+)?$"),
                                           QRegularExpression::CaseInsensitiveOption);
    const QString typed = text.trimmed();
    const auto said = [&](const char* pattern) {
        return QCoreApplication::translate("wizard", pattern).arg(what, typed);
    };
    if (typed.isEmpty())
        return QCoreApplication::translate("wizard", "%1 is empty, expected a number.").arg(what);
    if (digits.match(typed).hasMatch() && typed.contains(QLatin1Char('e'), Qt::CaseInsensitive))
        return said("%1, %2, is too large for a number.");
    if (digits.match(typed).hasMatch() && typed.contains(QLatin1Char(',')))
        return said("%1 is “%2”, which can be read in two ways: write it without a separator of thousands.");
    if (typed.endsWith(QLatin1Char('%')))
        return said("%1 is “%2”, expected a number: write % as the unit.");
    return said("%1 is “%2”, expected a number.");
}

} // namespace quadric::widgets
