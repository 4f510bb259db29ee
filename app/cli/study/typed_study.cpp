// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study/typed_study.h"

#include "app/cli/base/command.h"
#include "core/study/bounds.h"
#include "core/text/find_nearest.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace quadric::app {

namespace {

/// The levels of a discrete or categorical factor stand in place of the low value: "fp32|bf16".
void readLevels(study::Factor& factor, const std::string& option, const std::vector<std::string>& parts)
{
    for (const std::string& level : split(parts[1], '|')) {
        if (factor.type == study::FactorType::Categorical)
            factor.categories.push_back(level);
        else
            factor.levels.push_back(readNumber(option, level));
    }
    if (factor.type == study::FactorType::Discrete) {
        std::ranges::sort(factor.levels);
        factor.low = factor.levels.front();
        factor.high = factor.levels.back();
    }
}

/// Parts such as "multiple_of=8", wherever they stand behind the name; the others keep their order.
std::vector<std::string> takeFacts(std::vector<std::string>& parts)
{
    const auto isFact = [](const std::string& part) {
        return part.starts_with("multiple_of=") || part.starts_with("binds=");
    };
    std::vector<std::string> facts;
    std::ranges::copy_if(parts, std::back_inserter(facts), isFact);
    std::erase_if(parts, isFact);
    return facts;
}

void readFacts(const std::string& option, const std::vector<std::string>& facts, study::Factor& factor)
{
    for (const std::string& fact : facts) {
        const auto [name, value] = splitAssignment(option, fact);
        if (name == "multiple_of")
            factor.multipleOf = readInteger(option + ": multiple_of", value, 1, 1'000'000);
        else if (value == "ranks")
            factor.binds = value;
        else
            throw UsageError(option + ": binds " + text::describeUnknown(value, {"ranks"}));
    }
}

/// The part "bounds=0..100", taken out of the others; without one what is known of the name.
std::optional<study::Bounds> takeBounds(const std::string& option, std::vector<std::string>& parts)
{
    constexpr std::string_view kKey = "bounds=";
    const auto found =
        std::ranges::find_if(parts, [&](const std::string& part) { return part.starts_with(kKey); });
    if (found == parts.end())
        return study::knownBounds(parts.front());
    const std::string value = found->substr(kKey.size());
    parts.erase(found);
    if (value == "none")
        return std::nullopt;
    const auto bounds = study::boundsFrom(value);
    const std::string problem = bounds ? study::problemOf(*bounds) : std::string();
    if (!bounds || !problem.empty())
        throw UsageError(option + ": bounds \"" + value + "\", expected 0..100, 0.. or none" +
                         (problem.empty() ? "" : ": " + problem));
    return bounds;
}

} // namespace

study::Factor readFactor(const std::string& text)
{
    std::vector<std::string> parts = split(text, ':');
    const std::vector<std::string> facts = takeFacts(parts);
    if (parts.size() < 3 || parts.size() > 6 || parts[0].empty())
        throw UsageError("--factor \"" + text +
                         "\": expected name:low:high[:unit[:type[:scale]]][:multiple_of=N][:binds=ranks]");
    parts.resize(6);
    const std::string option = "--factor " + parts[0];
    study::Factor factor;
    readFacts(option, facts, factor);
    factor.name = parts[0];
    factor.unit = parts[3];
    const auto type = study::factorTypeFrom(parts[4].empty() ? "continuous" : parts[4]);
    if (!type)
        throw UsageError(
            option + ": type " +
            text::describeUnknown(parts[4], {"continuous", "integer", "discrete", "categorical"}));
    factor.type = *type;
    const auto scale = study::scaleFrom(parts[5].empty() ? "linear" : parts[5]);
    if (!scale)
        throw UsageError(option + ": scale " + text::describeUnknown(parts[5], {"linear", "log2"}));
    factor.scale = *scale;
    if (factor.type == study::FactorType::Discrete || factor.type == study::FactorType::Categorical) {
        readLevels(factor, option, parts);
        return factor;
    }
    factor.low = readNumber(option, parts[1]);
    factor.high = readNumber(option, parts[2]);
    if (factor.multipleOf > 1 && factor.type != study::FactorType::Integer)
        throw UsageError(option + ": multiple_of needs the type integer");
    return factor;
}

study::Response readResponse(const std::string& text)
{
    std::vector<std::string> parts = split(text, ':');
    const std::string option = "--response " + parts[0];
    const std::optional<study::Bounds> bounds = takeBounds(option, parts);
    if (parts.size() < 2 || parts.size() > 4 || parts[0].empty())
        throw UsageError("--response \"" + text + "\": expected name:goal[:unit[:weight]][:bounds=0..100]");
    parts.resize(4);
    study::Response response;
    response.name = parts[0];
    response.bounds = bounds;
    response.unit = parts[2];
    const bool isTarget = parts[1].starts_with("target=");
    const auto goal = study::goalFrom(isTarget ? "target" : parts[1]);
    if (!goal || (*goal == study::Goal::Target && !isTarget))
        throw UsageError(option + ": goal " +
                         text::describeUnknown(parts[1], {"maximize", "minimize", "target=VALUE", "none"}));
    response.goal = *goal;
    if (isTarget)
        response.target = readNumber(option, parts[1].substr(7));
    if (!parts[3].empty())
        response.weight = readNumber(option, parts[3]);
    return response;
}

} // namespace quadric::app
