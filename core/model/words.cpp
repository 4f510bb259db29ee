// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/words.h"

#include "core/study/factor.h"

#include <cmath>

namespace quadric::model {

namespace {

constexpr std::size_t kLongestList = 12;

} // namespace

std::string listWords(const std::vector<std::string>& items)
{
    std::string text;
    for (std::size_t i = 0; i < items.size() && i < kLongestList; ++i)
        text += (i == 0 ? "" : (i + 1 == items.size() ? " and " : ", ")) + items[i];
    return items.size() > kLongestList ? text + ", … (" + std::to_string(items.size()) + " in all)" : text;
}

std::string countWords(std::size_t count, const std::string& thing)
{
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string runWords(const std::vector<int>& runs)
{
    std::vector<std::string> names;
    names.reserve(runs.size());
    for (const int run : runs)
        names.push_back(std::to_string(run));
    return (runs.size() == 1 ? "run " : "runs ") + listWords(names);
}

std::string shortWords(double value)
{
    if (value == 0.0 || !std::isfinite(value))
        return study::toText(0.0);
    const int digits = 2 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double scale = std::pow(10.0, std::abs(digits));
    return study::toText(digits >= 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale);
}

std::string probabilityWords(double p)
{
    return p < 0.001 ? "p < 0.001" : "p = " + study::toText(std::round(p * 1000) / 1000);
}

std::string percentWords(double share)
{
    return study::toText(std::round(1000 * share) / 10) + " %";
}

} // namespace quadric::model
