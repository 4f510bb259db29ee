// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/typed_text.h"

#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace quadric::text {

namespace {

constexpr std::size_t kGroupDigits = 3;
constexpr std::size_t kLongestQuantity = 80; ///< a number with its unit; what is longer is prose

/// What sets groups of digits apart, whatever the decimal mark: spaces (plain, no-break, thin, narrow
/// no-break, figure) and apostrophes.
constexpr std::array<std::string_view, 7> kGroupMarks = {
    " ", "\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF", "\xE2\x80\x87", "'", "\xE2\x80\x99"};
constexpr std::string_view kRealMinus = "\xE2\x88\x92";

bool isDecimalDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::size_t countDigits(std::string_view text)
{
    std::size_t digits = 0;
    while (digits < text.size() && isDecimalDigit(text[digits]))
        ++digits;
    return digits;
}

/// The mark that stands at the beginning of the text; empty: none.
std::string_view groupMarkAt(std::string_view text, char decimalMark)
{
    const std::string_view other = decimalMark == ',' ? "." : ",";
    if (text.starts_with(other))
        return other;
    for (const std::string_view mark : kGroupMarks)
        if (text.starts_with(mark))
            return mark;
    return {};
}

/// Moves the digits before the decimal mark from `text` to `plain`, their groups joined. False where the
/// groups are none of three digits.
bool takeWholePart(std::string_view& text, char decimalMark, std::string& plain)
{
    const std::size_t first = countDigits(text);
    plain += text.substr(0, first);
    const bool mayHaveGroups = first > 0 && first <= kGroupDigits && text[0] != '0';
    text.remove_prefix(first);
    const std::string_view mark = groupMarkAt(text, decimalMark);
    if (mark.empty())
        return true;
    while (text.starts_with(mark)) {
        const std::string_view group = text.substr(mark.size());
        if (!mayHaveGroups || countDigits(group) != kGroupDigits)
            return false;
        plain += group.substr(0, kGroupDigits);
        text = group.substr(kGroupDigits);
    }
    return true;
}

constexpr std::size_t kLongestName = 200; ///< what is longer is no misspelled name
constexpr std::size_t kShortestBeginning = 3;

char toLower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool beginsWith(std::string_view text, std::string_view beginning)
{
    return text.size() >= beginning.size() &&
           computeEditDistance(text.substr(0, beginning.size()), beginning) == 0;
}

std::optional<std::string> findOnlyContinuation(std::string_view word,
                                                const std::vector<std::string>& candidates)
{
    const auto continues = [word](const std::string& candidate) { return beginsWith(candidate, word); };
    if (word.size() < kShortestBeginning || std::ranges::count_if(candidates, continues) != 1)
        return std::nullopt;
    return *std::ranges::find_if(candidates, continues);
}

} // namespace

std::string_view withoutBlanks(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r\n";
    constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
    for (bool isShorter = true; isShorter;) {
        const std::size_t size = text.size();
        text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
        text.remove_suffix(text.size() - std::min(text.find_last_not_of(kBlanks) + 1, text.size()));
        if (text.starts_with(kNoBreakSpace))
            text.remove_prefix(kNoBreakSpace.size());
        if (text.ends_with(kNoBreakSpace))
            text.remove_suffix(kNoBreakSpace.size());
        isShorter = text.size() < size;
    }
    return text;
}

std::optional<double> readNumber(std::string_view text, char decimalMark)
{
    text = withoutBlanks(text);
    std::string plain;
    if (text.starts_with('-') || text.starts_with(kRealMinus)) {
        plain = "-";
        text.remove_prefix(text[0] == '-' ? 1 : kRealMinus.size());
    } else if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    if (text.empty() || (!isDecimalDigit(text[0]) && text[0] != decimalMark) ||
        !takeWholePart(text, decimalMark, plain))
        return {};
    if (text.starts_with(decimalMark)) {
        plain += '.';
        text.remove_prefix(1);
    }
    if (decimalMark != '.' && text.find('.') != std::string_view::npos)
        return {};
    plain += text;
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    const bool isNumber = error == std::errc() && end == plain.data() + plain.size() && std::isfinite(value);
    return isNumber ? std::optional(value) : std::nullopt;
}

std::optional<NumberWithUnit> readNumberWithUnit(std::string_view text, char decimalMark)
{
    text = withoutBlanks(text);
    if (text.size() > kLongestQuantity)
        return {};
    for (std::size_t at = text.size(); at > 1; --at) {
        const std::string_view unit = withoutBlanks(text.substr(at - 1));
        const bool isUnit = !unit.empty() && !isDecimalDigit(unit[0]) &&
                            std::string_view("+-.,'").find(unit[0]) == std::string_view::npos;
        const bool isApart = unit == "%" || unit.size() < text.size() - at + 1;
        if (!isUnit || !isApart)
            continue;
        if (const auto value = readNumber(text.substr(0, at - 1), decimalMark))
            return NumberWithUnit{*value, std::string(unit)};
    }
    return {};
}

std::size_t computeEditDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t differs = toLower(a[i - 1]) == toLower(b[j - 1]) ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + differs});
            const bool isSwapped = i > 1 && j > 1 && toLower(a[i - 1]) == toLower(b[j - 2]) &&
                                   toLower(a[i - 2]) == toLower(b[j - 1]);
            if (isSwapped)
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        beforeLast = last;
        last = row;
    }
    return last[b.size()];
}

std::optional<std::string> findNearest(std::string_view word, const std::vector<std::string>& candidates)
{
    if (word.empty() || word.size() > kLongestName)
        return std::nullopt;
    const std::string* nearest = nullptr;
    std::size_t least = 0;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > kLongestName)
            continue;
        const std::size_t distance = computeEditDistance(word, candidate);
        const std::size_t length = std::max(word.size(), candidate.size());
        const bool isNear = distance <= std::max<std::size_t>(1, length / 3) && distance < length;
        if (isNear && (!nearest || distance < least)) {
            nearest = &candidate;
            least = distance;
        }
    }
    return nearest ? std::optional(*nearest) : findOnlyContinuation(word, candidates);
}

std::string suggestNearest(std::string_view word, const std::vector<std::string>& candidates,
                           std::string_view before, std::string_view after)
{
    const std::optional<std::string> nearest = findNearest(word, candidates);
    return nearest ? " Did you mean " + std::string(before) + *nearest + std::string(after) + "?"
                   : std::string();
}

std::string describeUnknown(std::string_view word, const std::vector<std::string>& known)
{
    const std::string suggestion = suggestNearest(word, known);
    return '"' + std::string(word) + "\", expected one of: " + (known.empty() ? "none" : joinWords(known)) +
           (suggestion.empty() ? "" : "." + suggestion);
}

} // namespace quadric::text
