// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/numbers.h"

#include <array>

namespace quadric::text {

namespace {

constexpr std::size_t kLongestList = 12;

} // namespace

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
