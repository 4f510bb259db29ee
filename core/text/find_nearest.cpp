// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/find_nearest.h"

#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::text {

namespace {

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
