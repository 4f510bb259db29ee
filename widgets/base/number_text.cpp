// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr QChar kMinus{0x2212};
constexpr QChar kThinSpace{0x2009};
constexpr QChar kDash{0x2013};
constexpr int kDigits = 4;           ///< significant digits of a number without an uncertainty
constexpr int kMostDigits = 15;      ///< what a double holds
constexpr double kLargest = 1e12;    ///< from here on powers of ten
constexpr double kSmallest = 1e-4;   ///< below this powers of ten
constexpr double kGrouped = 10000.0; ///< from here on thousands are separated

/// Decimal exponent of x after rounding it to this many significant digits: 0.0996 has −2, with two digits
/// −1.
int exponentOf(double x, int digits)
{
    const QString text = QString::number(std::abs(x), 'e', digits - 1);
    return text.mid(text.indexOf('e') + 1).toInt();
}

QString grouped(QString text)
{
    const qsizetype point = text.indexOf('.');
    for (qsizetype at = (point < 0 ? text.size() : point) - 3; at > 0; at -= 3)
        text.insert(at, kThinSpace);
    return text;
}

QString withoutTrailingZeros(QString text)
{
    if (!text.contains('.'))
        return text;
    while (text.endsWith('0'))
        text.chop(1);
    if (text.endsWith('.'))
        text.chop(1);
    return text;
}

/// Plain decimals; a negative count rounds to tens, hundreds, …
QString plain(double value, int decimals)
{
    const double unit = decimals < 0 ? std::pow(10.0, -decimals) : 1.0;
    const double rounded = decimals < 0 ? std::round(value / unit) * unit : value;
    QString text = QString::number(std::abs(rounded), 'f', std::max(decimals, 0));
    const bool isZero = text.toDouble() == 0.0;
    if (text.toDouble() >= kGrouped)
        text = grouped(text);
    return value < 0.0 && !isZero ? kMinus + text : text;
}

QString superscript(int exponent)
{
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += digits[digit.digitValue()];
    return text;
}

QString powerOfTen(double value, int digits, bool keepZeros)
{
    const int exponent = exponentOf(value, digits);
    QString mantissa = QString::number(std::abs(value), 'e', digits - 1);
    mantissa = mantissa.left(mantissa.indexOf('e'));
    if (!keepZeros)
        mantissa = withoutTrailingZeros(mantissa);
    const QString sign = value < 0.0 ? QString(kMinus) : QString();
    return sign + mantissa + QStringLiteral(" × 10") + superscript(exponent);
}

bool needsPowerOfTen(double value)
{
    return value != 0.0 && (std::abs(value) >= kLargest || std::abs(value) < kSmallest);
}

} // namespace

QString formatNumber(double value, std::optional<double> uncertainty)
{
    if (!std::isfinite(value))
        return kDash;
    const bool isUncertain = uncertainty && std::isfinite(*uncertainty) && *uncertainty > 0.0;
    const int exponent = value == 0.0 ? 0 : exponentOf(value, kDigits);
    if (!isUncertain) {
        if (needsPowerOfTen(value))
            return powerOfTen(value, kDigits, false);
        return withoutTrailingZeros(plain(value, std::max(kDigits - 1 - exponent, 0)));
    }
    const int decimals = 1 - exponentOf(*uncertainty, 2);
    const int digits = std::clamp(exponent + decimals + 1, 1, kMostDigits);
    if (needsPowerOfTen(value) && *uncertainty < std::abs(value))
        return powerOfTen(value, digits, true);
    return plain(value, std::min(decimals, kMostDigits - std::max(exponent, 0) - 1));
}

QString formatInterval(double value, double low, double high)
{
    constexpr double kEqualHalves = 0.02;
    const double below = value - low;
    const double above = high - value;
    const double half = (below + above) / 2.0;
    if (std::abs(above - below) <= kEqualHalves * half)
        return formatNumber(value, half) + QStringLiteral(" ± ") + formatNumber(half, half);
    return QCoreApplication::translate("quadric", "%1 (%2 to %3)")
        .arg(formatNumber(value, half), formatNumber(low, half), formatNumber(high, half));
}

QString formatP(double p)
{
    if (!std::isfinite(p))
        return kDash;
    if (p < 0.0001)
        return QStringLiteral("< 0.0001");
    if (p > 0.99)
        return QStringLiteral("> 0.99");
    return QString::number(p, 'f', 1 - exponentOf(p, 2));
}

} // namespace quadric::widgets
