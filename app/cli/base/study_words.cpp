// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/study_words.h"

#include "app/cli/base/command.h"
#include "app/cli/output/study_output.h"
#include "core/run/words/control.h"

#include <algorithm>
#include <set>

namespace quadric::app {

namespace {

using study::RunStatus;

/// A list this long helps nobody.
constexpr std::size_t kMostLevels = 40;

std::string rangeText(const study::Factor& factor)
{
    if (!factor.isNumeric())
        return std::string(study::nameOf(factor.type));
    return study::toText(factor.low) + " … " + study::toText(factor.high) +
           (factor.unit.empty() ? "" : " " + factor.unit);
}

Candidate factorCandidate(const study::Factor& factor)
{
    return {factor.name, rangeText(factor)};
}

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

/// The runs that an action can be asked for (docs/running.md).
std::vector<RunStatus> statusesFor(run::ControlAction action)
{
    switch (action) {
    case run::ControlAction::Cancel:
        return {RunStatus::Running};
    case run::ControlAction::Skip:
        return {RunStatus::Pending, RunStatus::Running};
    case run::ControlAction::Retry:
        return {RunStatus::Failed, RunStatus::Done};
    default:
        return {RunStatus::Pending};
    }
}

} // namespace

Completion listed(const std::string& typed, const Completion& items)
{
    const std::size_t comma = typed.rfind(',');
    const std::string before = comma == typed.npos ? "" : typed.substr(0, comma + 1);
    const std::vector<std::string> taken = split(before, ',');
    Completion found;
    for (const Candidate& item : items.candidates)
        if (std::ranges::none_of(taken, [&item](const std::string& word) {
                return word == item.word || (item.word.ends_with('=') && word.starts_with(item.word));
            }))
            found.candidates.push_back({before + item.word, item.meaning});
    return found;
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

Completion factorNames(const study::Study& study)
{
    return candidatesOf(study.factors, factorCandidate);
}

Completion numericFactorNames(const study::Study& study)
{
    Completion found;
    for (const study::Factor& factor : study.factors)
        if (factor.isNumeric())
            found.candidates.push_back(factorCandidate(factor));
    return found;
}

Completion responseNames(const study::Study& study)
{
    return candidatesOf(study.responses, [](const study::Response& response) {
        return Candidate{response.name, std::string(study::nameOf(response.goal)) +
                                            (response.unit.empty() ? "" : ", " + response.unit)};
    });
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

Completion runNumbers(const study::Study& study, const std::vector<RunStatus>& statuses)
{
    Completion found;
    for (const study::Run* run : study::inRunOrder(study))
        if (statuses.empty() || std::ranges::find(statuses, run->status) != statuses.end())
            found.candidates.push_back(
                {std::to_string(run->id),
                 std::string(study::nameOf(run->status)) + ": " + settingsText(study, run->settings)});
    return found;
}

Completion controlRequests(const study::Study& study, const std::string& typed)
{
    const std::size_t colon = typed.find(':');
    Completion found;
    for (const run::ControlAction action : run::controlActions()) {
        const std::string name(run::nameOf(action));
        if (!run::isAboutARun(action))
            found.candidates.push_back({name});
        else if (colon == typed.npos)
            found.candidates.push_back({name + ":", "the number of a run"});
        else if (typed.substr(0, colon) == name)
            for (const Candidate& run : runNumbers(study, statusesFor(action)).candidates)
                found.candidates.push_back({name + ":" + run.word, run.meaning});
    }
    return found;
}

} // namespace quadric::app
