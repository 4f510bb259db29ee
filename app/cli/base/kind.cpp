// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/kind.h"

#include "app/cli/base/command.h"
#include "app/cli/output/study_output.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace quadric::app {

namespace {

/// A list this long helps nobody.
constexpr std::size_t kMostLevels = 40;

std::string rangeText(const study::Factor& factor)
{
    if (!factor.isNumeric())
        return std::string(study::nameOf(factor.type));
    return study::toText(factor.low) + " … " + study::toText(factor.high) +
           (factor.unit.empty() ? "" : " " + factor.unit);
}

Completion factorNames(const study::Study& study, bool withCategories)
{
    Completion found;
    for (const study::Factor& factor : study.factors)
        if (withCategories || factor.isNumeric())
            found.candidates.push_back({factor.name, rangeText(factor)});
    return found;
}

Completion responseNames(const study::Study& study)
{
    return candidatesOf(study.responses, [](const study::Response& response) {
        return Candidate{response.name, std::string(study::nameOf(response.goal)) +
                                            (response.unit.empty() ? "" : ", " + response.unit)};
    });
}

/// Its levels, its ends, and its values in the study's runs.
std::set<double> numbersOf(const study::Study& study, const study::Factor& factor)
{
    std::set<double> numbers(factor.levels.begin(), factor.levels.end());
    numbers.insert({factor.low, factor.high});
    for (const double legal : study::legalValues(factor, factor.low, factor.high, kMostLevels))
        numbers.insert(legal);
    for (const study::Run& run : study.runs) {
        const auto setting = run.settings.find(factor.name);
        if (setting != run.settings.end() && std::holds_alternative<double>(setting->second))
            numbers.insert(std::get<double>(setting->second));
    }
    return numbers;
}

Completion levelsOf(const study::Study& study, const std::string& name)
{
    const study::Factor* factor = study::findFactor(study, name);
    if (!factor)
        return {};
    if (!factor->isNumeric())
        return candidatesOf(factor->categories, [](const std::string& level) { return Candidate{level}; });
    return candidatesOf(numbersOf(study, *factor), [&](double number) {
        return Candidate{study::toText(number), factor->unit};
    });
}

Completion offered(const Kind& kind, const study::Study& study, const std::string& typed)
{
    return kind.offer ? kind.offer(study, typed) : Completion{};
}

} // namespace

Kind Kind::wholeNumber(std::uint64_t least, std::uint64_t most)
{
    return {.complaint = [least, most](const std::string& typed) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), value);
        const bool isWhole = error == std::errc() && end == typed.data() + typed.size();
        return isWhole && value >= least && value <= most
                   ? std::string()
                   : typed + ", expected a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most);
    }};
}

Kind Kind::numberFrom(double least, double most)
{
    return {.complaint = [least, most](const std::string& typed) {
        const auto value = text::readNumber(typed, '.');
        if (value && *value >= least && *value <= most)
            return std::string();
        return typed + ", expected " + text::formatExactly(least) +
               (std::isinf(most) ? " or more" : " to " + text::formatExactly(most));
    }};
}

Kind Kind::oneOf(const std::vector<std::string>& words)
{
    Kind kind = suggested(words);
    kind.complaint = [words](const std::string& typed) {
        const bool isKnown = std::ranges::find(words, typed) != words.end();
        return isKnown ? std::string() : text::describeUnknown(typed, words);
    };
    kind.shownCheck = "{" + text::joinWords(words, ",") + "}";
    return kind;
}

Kind Kind::suggested(const std::vector<std::string>& words)
{
    return suggested(
        [words] { return candidatesOf(words, [](const std::string& word) { return Candidate{word}; }); });
}

Kind Kind::suggested(const std::function<Completion()>& words)
{
    return {.offer = [words](const study::Study&, const std::string&) { return words(); }};
}

Kind Kind::factor()
{
    return {.offer = [](const study::Study& study, const std::string&) { return factorNames(study, true); }};
}

Kind Kind::numericFactor()
{
    return {.offer = [](const study::Study& study, const std::string&) { return factorNames(study, false); }};
}

Kind Kind::response()
{
    return {.offer = [](const study::Study& study, const std::string&) { return responseNames(study); }};
}

Kind Kind::setting()
{
    return {.offer = [](const study::Study& study, const std::string& typed) {
        return assigned(typed, factorNames(study, true),
                        [&study](const std::string& factor) { return levelsOf(study, factor); });
    }};
}

Kind Kind::assignment(const Kind& name, const Kind& value)
{
    return {.offer = [name, value](const study::Study& study, const std::string& typed) {
        return assigned(typed, offered(name, study, typed),
                        [&](const std::string&) { return offered(value, study, typed); });
    }};
}

Kind Kind::listOf(const Kind& item)
{
    return {.offer = [item](const study::Study& study, const std::string& typed) {
        const std::size_t last = typed.rfind(',') + 1; // 0 without a comma
        const std::string before = typed.substr(0, last);
        const std::vector<std::string> taken = split(before, ',');
        Completion found;
        for (const Candidate& each : offered(item, study, typed.substr(last)).candidates)
            if (std::ranges::none_of(taken, [&each](const std::string& word) {
                    return word == each.word || (each.word.ends_with('=') && word.starts_with(each.word));
                }))
                found.candidates.push_back({before + each.word, each.meaning});
        return found;
    }};
}

Completion assigned(const std::string& typed, const Completion& names,
                    const std::function<Completion(const std::string&)>& valuesOf)
{
    const std::size_t equals = typed.find('=');
    if (equals == typed.npos)
        return candidatesOf(names.candidates, [](const Candidate& name) {
            return Candidate{name.word + "=", name.meaning};
        });
    return candidatesOf(valuesOf(typed.substr(0, equals)).candidates, [&](const Candidate& value) {
        return Candidate{typed.substr(0, equals + 1) + value.word, value.meaning};
    });
}

Completion runNumbers(const study::Study& study, const std::vector<study::RunStatus>& statuses)
{
    Completion found;
    for (const study::Run* run : study::inRunOrder(study))
        if (statuses.empty() || std::ranges::find(statuses, run->status) != statuses.end())
            found.candidates.push_back(
                {std::to_string(run->id),
                 std::string(study::nameOf(run->status)) + ": " + settingsText(study, run->settings)});
    return found;
}

} // namespace quadric::app
