// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace quadric::text {

namespace {

constexpr int kDigits = 4;                ///< significant digits of a number without an uncertainty
constexpr int kMostDigits = 15;           ///< what a double holds
constexpr double kLargest = 1e12;         ///< from here on powers of ten
constexpr double kSmallest = 1e-4;        ///< below this powers of ten
constexpr std::size_t kGroupedDigits = 5; ///< before the point: from here on thousands are separated
constexpr std::string_view kMinus = "−", kGroupSpace = "\u202F";

/// Between these magnitudes an exact number is written without an exponent.
constexpr double kSmallestExact = 1e-5;
constexpr double kLargestExact = 1e15;

std::string toChars(double value, std::chars_format format, int precision)
{
    std::array<char, 400> buffer{}; // the largest double has 309 digits before the point
    return {buffer.data(),
            std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision).ptr};
}

/// Decimal exponent of x after rounding it to this many significant digits: 0.0996 has −2, with two digits
/// −1.
int findExponent(double x, int digits)
{
    const std::string text = toChars(std::abs(x), std::chars_format::scientific, digits - 1);
    return std::atoi(text.c_str() + text.find('e') + 1);
}

std::string withSign(double value, const std::string& magnitude, Typography typography)
{
    const bool isZero = magnitude.find_first_of("123456789") == std::string::npos;
    if (!(value < 0.0) || isZero)
        return magnitude;
    return (typography == Typography::Plain ? "-" : std::string(kMinus)) + magnitude;
}

std::string withThousands(std::string text)
{
    const std::size_t point = std::min(text.find('.'), text.size());
    for (auto at = static_cast<std::ptrdiff_t>(point) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), kGroupSpace);
    return text;
}

std::string withoutTrailingZeros(std::string text)
{
    if (text.find('.') == std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

/// Plain decimals; a negative count rounds to tens, hundreds, …
std::string formatFixed(double value, int decimals, bool keepsZeros, Typography typography)
{
    const double unit = decimals < 0 ? std::pow(10.0, -decimals) : 1.0;
    const double rounded = decimals < 0 ? std::round(value / unit) * unit : value;
    std::string text = toChars(std::abs(rounded), std::chars_format::fixed, std::max(decimals, 0));
    const bool isGrouped =
        typography == Typography::Typeset && std::min(text.find('.'), text.size()) >= kGroupedDigits;
    if (!keepsZeros)
        text = withoutTrailingZeros(text);
    return withSign(value, isGrouped ? withThousands(text) : text, typography);
}

std::string superscript(int exponent)
{
    constexpr std::array kDigitSigns = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(exponent)))
        text += kDigitSigns[static_cast<std::size_t>(digit - '0')];
    return text;
}

std::string formatPowerOfTen(double value, int digits, bool keepsZeros, Typography typography)
{
    const std::string text = toChars(std::abs(value), std::chars_format::scientific, digits - 1);
    const std::size_t e = text.find('e');
    const std::string mantissa = keepsZeros ? text.substr(0, e) : withoutTrailingZeros(text.substr(0, e));
    const std::string power = typography == Typography::Plain
                                  ? text.substr(e)
                                  : " × 10" + superscript(std::atoi(text.c_str() + e + 1));
    return withSign(value, mantissa + power, typography);
}

bool needsPowerOfTen(double value)
{
    return value != 0.0 && (std::abs(value) >= kLargest || std::abs(value) < kSmallest);
}

} // namespace

std::string formatNumber(double value, std::optional<double> uncertainty, Typography typography)
{
    const bool isUncertain = uncertainty && std::isfinite(*uncertainty) && *uncertainty > 0.0;
    if (!std::isfinite(value) || !isUncertain)
        return formatDigits(value, kDigits, typography);
    const int exponent = value == 0.0 ? 0 : findExponent(value, kDigits);
    const int decimals = 1 - findExponent(*uncertainty, 2);
    if (needsPowerOfTen(value) && *uncertainty < std::abs(value))
        return formatPowerOfTen(value, std::clamp(exponent + decimals + 1, 1, kMostDigits), true, typography);
    return formatFixed(value, std::min(decimals, kMostDigits - std::max(exponent, 0) - 1), true, typography);
}

std::string formatDigits(double value, int digits, Typography typography)
{
    if (!std::isfinite(value))
        return std::string(kNothing);
    if (needsPowerOfTen(value))
        return formatPowerOfTen(value, digits, false, typography);
    const int exponent = value == 0.0 ? 0 : findExponent(value, digits);
    return formatFixed(value, std::max(digits - 1 - exponent, 0), false, typography);
}

std::string formatDecimals(double value, int decimals, Typography typography)
{
    return std::isfinite(value) ? formatFixed(value, decimals, true, typography) : std::string(kNothing);
}

std::string formatBriefly(double value, int digits)
{
    if (!std::isfinite(value))
        return std::string(kNothing);
    if (value == 0.0)
        return "0";
    const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double scale = std::pow(10.0, std::abs(decimals));
    return formatExactly(decimals >= 0 ? std::round(value * scale) / scale
                                       : std::round(value / scale) * scale);
}

std::string formatExactly(double value)
{
    std::array<char, 64> buffer{};
    const double size = std::abs(value);
    const bool isPlain = value == 0.0 || (size >= kSmallestExact && size < kLargestExact);
    const auto format = isPlain ? std::chars_format::fixed : std::chars_format::scientific;
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0, format);
    return error == std::errc{} ? std::string(buffer.data(), end) : std::string();
}

std::string formatInterval(double value, double low, double high, Typography typography)
{
    constexpr double kEqualHalves = 0.02;
    const double below = value - low;
    const double above = high - value;
    const double half = (below + above) / 2.0;
    const std::string number = formatNumber(value, half, typography);
    if (std::abs(above - below) <= kEqualHalves * half)
        return number + " ± " + formatNumber(half, half, typography);
    return number + " (" + formatRange(low, high, typography) + ")";
}

std::string formatRange(double low, double high, Typography typography)
{
    const double half = (high - low) / 2.0;
    return formatNumber(low, half, typography) + " to " + formatNumber(high, half, typography);
}

} // namespace quadric::text
