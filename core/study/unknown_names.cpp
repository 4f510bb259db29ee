// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/unknown_names.h"

#include "core/study/derived.h"
#include "core/text/find_nearest.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace quadric::study {

namespace {

std::vector<std::string> knownNames(const Study& study)
{
    std::set<std::string> names(telemetryResults().begin(), telemetryResults().end());
    for (const Factor& factor : study.factors)
        names.insert(factor.name);
    for (const auto& [name, value] : study.fixed)
        names.insert(name);
    for (const Response& response : study.responses)
        names.insert(response.name);
    for (const DerivedResult& derived : derivedResults(study))
        names.insert(derived.name);
    for (const Run& run : study.runs)
        for (const auto& [name, value] : run.results)
            names.insert(name);
    return {names.begin(), names.end()};
}

std::vector<std::string> namesIn(const std::string& expression)
{
    try {
        return Expression(expression).names();
    } catch (const std::invalid_argument&) {
        return {}; // is complained about where it is typed
    }
}

} // namespace

std::string describeUnknownNames(const Study& study, const std::string& response)
{
    const std::string expression = expressionOf(study, response);
    if (expression.empty())
        return {};
    const std::vector<std::string> known = knownNames(study);
    std::vector<std::string> unknown = namesIn(expression);
    std::erase_if(unknown,
                  [&known](const std::string& name) { return std::ranges::binary_search(known, name); });
    if (unknown.empty())
        return {};
    const bool isMeasured = countRuns(study, RunStatus::Done) > 0;
    const std::string words = text::formatList(unknown) + (unknown.size() > 1 ? " are" : " is");
    const std::string meant = text::suggestNearest(unknown.front(), known);
    return words + " no factor, fixed setting or response" +
           (isMeasured ? ", and no run reports " + std::string(unknown.size() > 1 ? "them" : "it")
                       : "; add a fixed setting, unless the program reports it") +
           (meant.empty() ? meant : "." + meant);
}

} // namespace quadric::study
