// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/builtin_workload.h"

#include "core/run/recipe/recipe.h"
#include "core/study/derived.h"
#include "core/study/run_records.h"
#include "core/workload/knob.h"
#include "core/workload/response_table.h"

#include <algorithm>

namespace quadric::run {

namespace {

constexpr const char* kPrice = "price_per_rank_hour";

std::string whyStrange(const study::Factor& factor)
{
    const std::string setting = study::trainerSettingOf(factor);
    if (workload::findKnob(setting))
        return {};
    return "the built-in workload has no setting \"" + setting + "\": all its values would measure the same";
}

bool isVaried(const study::Study& study, const char* setting)
{
    return std::ranges::any_of(study.factors, [&](const study::Factor& factor) {
        return study::trainerSettingOf(factor) == setting;
    });
}

/// What all runs have of a setting in common; empty: nothing.
std::string commonValue(const study::Study& study, const char* setting)
{
    const study::Settings settings = workerSettings(study, {});
    const auto found = settings.find(setting);
    return found == settings.end() || isVaried(study, setting) ? std::string() : study::toText(found->second);
}

bool hasPrice(const study::Study& study)
{
    const std::string price = commonValue(study, kPrice);
    return isVaried(study, kPrice) || (!price.empty() && price != "0");
}

/// What the settings that all runs share have against it; empty: nothing.
std::string whyNeedIsNotMet(const study::Study& study, workload::Needs needs)
{
    const std::string engine = commonValue(study, "engine");
    switch (needs) {
    case workload::Needs::Nothing:
        return {};
    case workload::Needs::Baseline:
        return commonValue(study, "baseline") == "off" ? ", and that is switched off" : "";
    case workload::Needs::Price:
        return hasPrice(study) ? "" : "; expected a setting " + std::string(kPrice) + " above 0";
    case workload::Needs::Training:
        return engine == "simulated" ? ", and the engine is \"simulated\"" : "";
    case workload::Needs::Learning:
        if (commonValue(study, "loss_training") == "off")
            return ", and that is switched off";
        return engine == "simulated" ? ", and the engine is \"simulated\"" : "";
    case workload::Needs::Gpus:
        return engine == "cpu" || engine == "simulated" ? ", and the engine is \"" + engine + '"' : "";
    }
    return {};
}

std::string whyStrange(const study::Study& study, const study::Response& response)
{
    const workload::Response* known = workload::findResponse(response.name);
    if (!known && study::isComputed(study, response.name))
        return {};
    if (!known)
        return "the built-in workload does not report \"" + response.name + "\"";
    const std::string why = whyNeedIsNotMet(study, known->needs);
    if (why.empty())
        return {};
    return "the built-in workload reports \"" + response.name + "\" only " +
           std::string(workload::needsWords(known->needs)) + why;
}

void note(std::vector<BuiltinGap>& gaps, const char* list, std::size_t index, const std::string& why)
{
    if (!why.empty())
        gaps.push_back({std::string(list) + "[" + std::to_string(index) + "]", why});
}

} // namespace

std::vector<BuiltinGap> gapsOfBuiltin(const study::Study& study)
{
    std::vector<BuiltinGap> gaps;
    if (study.benchmark.workload != "builtin")
        return gaps;
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        note(gaps, "factors", i, whyStrange(study.factors[i]));
    for (std::size_t i = 0; i < study.responses.size(); ++i)
        note(gaps, "responses", i, whyStrange(study, study.responses[i]));
    return gaps;
}

std::string gapsInWords(const study::Study& study)
{
    std::string text;
    for (const BuiltinGap& gap : gapsOfBuiltin(study))
        text += (text.empty() ? "" : "; ") + gap.where + ": " + gap.why;
    const auto names = [&text](const char* list) { return text.find(list) != text.npos; };
    if (names("factors["))
        text += ". Its settings are " + workload::knobNames();
    if (names("responses["))
        text += ". It reports " + workload::responseNames();
    return text;
}

} // namespace quadric::run
