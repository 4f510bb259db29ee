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

constexpr double kSignificance = 0.05; ///< the limit that readers hold a p value against

/// Below the limit and yet shown as the limit.
bool readsAsLimit(double p, int decimals)
{
    const double scale = std::pow(10.0, decimals);
    return p < kSignificance && std::round(p * scale) / scale >= kSignificance;
}

/// A rounded percentage that says "all" or "nothing" of a share that is neither.
bool hidesRest(double share, double percent)
{
    return (share < 1.0 && percent >= 100.0) || (share > 0.0 && percent <= 0.0);
}

std::string trimmedPercent(double percent, int decimals, Typography typography)
{
    const double size = std::abs(percent);
    const int whole = size < 1.0 ? 0 : static_cast<int>(std::log10(size)) + 1;
    return formatDigits(percent, std::max(1, whole + decimals), typography) + " %";
}

constexpr long long kMinute = 60, kHour = 3600, kDay = 24 * kHour; // seconds
constexpr long long kFew = 2; ///< fewer of a unit are told in the smaller one
constexpr long long kFewDays = 4;

bool isDuration(double seconds)
{
    return seconds >= 0.0 && std::isfinite(seconds);
}

std::string twoDigits(long long number)
{
    return (number < 10 ? "0" : "") + std::to_string(number);
}

constexpr std::size_t kLongestList = 12;

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

std::string formatP(double p)
{
    if (!std::isfinite(p))
        return std::string(kNothing);
    if (p < 0.0001)
        return "< 0.0001";
    if (p > 0.99)
        return "> 0.99";
    if (readsAsLimit(p, 3))
        return "< 0.05";
    const int leadingZeros = -static_cast<int>(std::floor(std::log10(p)));
    const bool roundsUp = std::round(p * std::pow(10.0, leadingZeros + 1)) >= 100.0; // 0.0996 reads 0.10
    return formatDecimals(p, roundsUp ? leadingZeros : leadingZeros + 1);
}

std::string formatPClause(double p)
{
    if (p < 0.001)
        return "p < 0.001";
    if (readsAsLimit(p, 3))
        return "p < 0.05";
    if (p >= 0.9995 && p < 1.0)
        return "p > 0.999";
    return "p = " + formatExactly(std::round(p * 1000) / 1000);
}

std::string formatPower(double power)
{
    constexpr double kUsual = 80.0, kAll = 100.0; // percent
    constexpr double kRounding = 1e-9;            // 100 × 0.8 may be a little less than 80
    if (!std::isfinite(power))
        return std::string(kNothing);
    const double percent = 100.0 * power + kRounding;
    double shown = std::round(percent);
    if (shown == kAll && percent < kAll)
        return "> 99 %";
    if (shown == kUsual && percent < kUsual)
        shown -= 1.0;
    return formatDecimals(shown, 0) + " %";
}

std::string formatShare(double share, int decimals, Typography typography)
{
    constexpr int kMoreDecimals = 2;
    int shown = decimals;
    const auto isRounded = [&](double to) {
        const double scale = std::pow(10.0, shown);
        return share != to && std::round(share * scale) / scale == to;
    };
    while (shown < decimals + kMoreDecimals && (isRounded(1.0) || isRounded(0.0)))
        ++shown;
    const double step = std::pow(10.0, -shown);
    const double told = isRounded(1.0) && share < 1.0 ? 1.0 - step : share; // never all where it is less
    return formatDecimals(told, shown, typography);
}

std::string formatPercent(double share, int decimals, Typography typography)
{
    if (!std::isfinite(share))
        return std::string(kNothing);
    constexpr int kMoreDecimals = 2; // where fewer would hide that it is neither all nor nothing
    for (int shown = decimals; shown <= decimals + kMoreDecimals; ++shown) {
        const double scale = std::pow(10.0, shown);
        const double percent = std::round(100.0 * scale * share) / scale;
        if (!hidesRest(share, percent))
            return trimmedPercent(percent, shown, typography);
    }
    const double step = std::pow(10.0, -decimals - kMoreDecimals);
    return share < 0.5 ? "< " + trimmedPercent(step, decimals + kMoreDecimals, typography)
                       : "> " + trimmedPercent(100.0 - step, decimals + kMoreDecimals, typography);
}

std::string formatDuration(double seconds)
{
    constexpr double kTenths = 9.95; // below, tenths of a second are shown
    if (!isDuration(seconds))
        return {};
    if (seconds < kTenths)
        return formatDecimals(seconds, 1) + " s";
    const long long whole = std::llround(seconds);
    if (whole < kMinute)
        return std::to_string(whole) + " s";
    if (whole < kHour)
        return std::to_string(whole / kMinute) + " min " + twoDigits(whole % kMinute) + " s";
    return std::to_string(whole / kHour) + " h " + twoDigits(whole / kMinute % kMinute) + " min";
}

std::string formatRoughDuration(double seconds)
{
    constexpr long long kFewSeconds = 90;
    if (!isDuration(seconds))
        return {};
    const long long whole = std::max(1LL, std::llround(seconds));
    if (whole < kFewSeconds)
        return std::to_string(whole) + " s";
    const long long minutes = (whole + kMinute / 2) / kMinute;
    if (minutes < kMinute)
        return std::to_string(minutes) + " min";
    return std::to_string(minutes / kMinute) + " h " + std::to_string(minutes % kMinute) + " min";
}

TimeUnit findTimeUnit(double longest)
{
    if (longest < kFew * kMinute)
        return {"s", 1.0};
    if (longest < kFew * kHour)
        return {"min", double(kMinute)};
    return longest < kFewDays * kDay ? TimeUnit{"h", double(kHour)} : TimeUnit{"d", double(kDay)};
}

std::string formatList(const std::vector<std::string>& items, std::string_view conjunction)
{
    const std::string last = " " + std::string(conjunction) + " ";
    std::string text;
    for (std::size_t i = 0; i < items.size() && i < kLongestList; ++i)
        text += (i == 0 ? "" : (i + 1 == items.size() ? last : ", ")) + items[i];
    return items.size() > kLongestList ? text + ", … (" + std::to_string(items.size()) + " in all)" : text;
}

std::string formatRuns(const std::vector<int>& runs)
{
    std::vector<std::string> names;
    names.reserve(runs.size());
    for (const int run : runs)
        names.push_back(std::to_string(run));
    return (runs.size() == 1 ? "run " : "runs ") + formatList(names);
}

std::string formatTerm(std::string_view term, Typography typography)
{
    if (term == "1")
        return "intercept";
    if (typography == Typography::Plain)
        return std::string(term);
    constexpr std::array kRaised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    bool isPower = false;
    for (const char letter : term) {
        isPower = letter == '^' || (isPower && letter >= '0' && letter <= '9');
        if (isPower)
            text += letter == '^' ? "" : kRaised[static_cast<std::size_t>(letter - '0')];
        else
            text += letter == '*' ? " × " : std::string(1, letter);
    }
    return text;
}

} // namespace quadric::text
