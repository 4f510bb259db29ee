// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/claimed_settings.h"

#include "core/machine/json_text.h"
#include "core/run/recipe/recipe.h"
#include "core/run/words/worker_protocol.h"
#include "core/study/run_records.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

/// Decimal digits that a worker keeps of a number at least.
constexpr double kTolerance = 1e-5;

bool contradicts(const study::Value& given, const Json& claimed)
{
    if (const auto* number = std::get_if<double>(&given))
        return claimed.is_number() &&
               std::abs(claimed.get<double>() - *number) > kTolerance * std::max(1e-9, std::abs(*number));
    return claimed.is_string() && claimed.get<std::string>() != std::get<std::string>(given);
}

} // namespace

std::optional<study::Failure> contradiction(const study::Study& study, const study::Run& run,
                                            const std::string& claimed)
{
    const Json json = Json::parse(claimed, nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    const study::Settings given = workerSettings(study, run);
    const bool isBuiltin = study.benchmark.workload == "builtin";
    for (const study::Factor& factor : study.factors) {
        const bool isRenamed = isBuiltin && !factor.binds.empty();
        const std::string& name = isRenamed ? factor.binds : factor.name;
        const auto setting = given.find(name);
        const auto found = json.find(name);
        if (isBuiltin && found == json.end() && !json.contains(study::trainerSettingOf(factor)))
            return study::Failure{"bad-settings",
                                  "the built-in workload has no setting " + name +
                                      ", so the factor would change nothing that is measured",
                                  {}};
        if (setting != given.end() && found != json.end() && contradicts(setting->second, *found))
            return study::Failure{"bad-output",
                                  "The program says that it measured " + name + " = " +
                                      cleanText(machine::textOf(*found), 100) + ", it was given " +
                                      study::toText(setting->second),
                                  {}};
    }
    return std::nullopt;
}

} // namespace quadric::run
