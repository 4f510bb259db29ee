// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/builtin_workload.h"

#include "core/run/baselines.h"
#include "core/run/recipe.h"
#include "core/study/baselines.h"

#include <algorithm>

namespace quadric::run {

namespace {

constexpr const char* kPrice = "price_per_rank_hour";

bool isAmong(const std::vector<std::string>& names, const std::string& name)
{
    return std::ranges::find(names, name) != names.end();
}

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string whyStrange(const study::Factor& factor)
{
    const std::string setting = study::trainerSettingOf(factor);
    if (isAmong(builtinSettings(), setting))
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

/// A response that there is, but not with the settings that all runs share.
std::string whyNotWithSettings(const study::Study& study, const std::string& response)
{
    const std::string engine = commonValue(study, "engine");
    const std::string reported = "the built-in workload reports \"" + response + "\" only ";
    if (response == kScalingEfficiency && commonValue(study, "baseline") == "off")
        return reported + "with a baseline, and that is switched off";
    if (response == "cost_per_epoch" && !hasPrice(study))
        return reported + "with a price; expected a setting " + kPrice + " above 0";
    if (response == "loss_end" && engine == "simulated")
        return reported + "where it trains, and the engine is \"simulated\"";
    if (response == "joules_per_image" && (engine == "cpu" || engine == "simulated"))
        return reported + "on GPUs, and the engine is \"" + engine + "\"";
    return {};
}

std::string whyStrange(const study::Study& study, const study::Response& response)
{
    if (!isAmong(builtinResponses(), response.name))
        return "the built-in workload does not report \"" + response.name + "\"";
    return whyNotWithSettings(study, response.name);
}

void note(std::vector<BuiltinGap>& gaps, const char* list, std::size_t index, const std::string& why)
{
    if (!why.empty())
        gaps.push_back({std::string(list) + "[" + std::to_string(index) + "]", why});
}

} // namespace

const std::vector<std::string>& builtinSettings()
{
    static const std::vector<std::string> all = {"engine",
                                                 "ranks",
                                                 "batch_per_rank",
                                                 "network",
                                                 "image_size",
                                                 "precision",
                                                 "threads_per_rank",
                                                 "scaling",
                                                 "global_batch",
                                                 "gradient_compression",
                                                 "compression_method",
                                                 "wire_dtype",
                                                 "aggregation",
                                                 "bucket_mib",
                                                 "overlap",
                                                 "link_gbit",
                                                 "link_latency_us",
                                                 "max_seconds",
                                                 "warmup_seconds",
                                                 "interval_pct",
                                                 "baseline",
                                                 "baseline_rate",
                                                 "baseline_half_width",
                                                 "oversubscribe",
                                                 "learning_rate",
                                                 "momentum",
                                                 "seed",
                                                 "dataset_images",
                                                 "price_per_rank_hour",
                                                 "gpu",
                                                 "node_network",
                                                 "ranks_per_node",
                                                 "one_gpu_images_per_sec",
                                                 "step_overhead_ms",
                                                 "noise_pct"};
    return all;
}

const std::vector<std::string>& builtinResponses()
{
    static const std::vector<std::string> all = {"images_per_sec",     "step_ms",           "step_ms_p95",
                                                 "scaling_efficiency", "comm_exposed_pct",  "bytes_per_step",
                                                 "selection_ms",       "loss_end",          "memory_peak_mib",
                                                 "joules_per_image",   "seconds_per_epoch", "cost_per_epoch"};
    return all;
}

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
        text += ". Its settings are " + joined(builtinSettings());
    if (names("responses["))
        text += ". It reports " + joined(builtinResponses());
    return text;
}

} // namespace quadric::run
