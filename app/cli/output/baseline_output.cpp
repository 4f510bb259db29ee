// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/baseline_output.h"

#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <map>

namespace quadric::app {

namespace {

constexpr const char* kBatch = "batch_per_rank";

/// Ranks are one, and the batch is named as the trainer names it.
bool isSaidAlready(const study::Factor& factor)
{
    const std::string name = study::trainerSettingOf(factor);
    return name == "ranks" || name == kBatch;
}

} // namespace

std::string baselineText(const study::Study& study, const study::Run& baseline)
{
    std::vector<std::pair<std::string, study::Value>> shown;
    if (const auto batch = baseline.settings.find(kBatch); batch != baseline.settings.end())
        shown.emplace_back(*batch);
    for (const study::Factor& factor : study.factors) {
        const study::Value* value = study::settingOf(baseline, factor);
        if (value && !isSaidAlready(factor))
            shown.emplace_back(factor.name, *value);
    }
    std::string text;
    for (const auto& [name, value] : shown) {
        const auto* number = std::get_if<double>(&value);
        text += (text.empty() ? "" : ", ") + name + "=" +
                (number ? text::formatDigits(*number, 6) : study::toText(value));
    }
    return text;
}

std::string baselineCounts(const study::Study& study)
{
    std::map<study::RunStatus, int> counts;
    for (const study::Run& baseline : study.baselines)
        ++counts[baseline.status];
    return text::joinWords(counts, ", ", [](const auto& entry) {
        return std::to_string(entry.second) + ' ' + std::string(study::nameOf(entry.first));
    });
}

Json baselinesJson(const study::Study& study)
{
    Json list = Json::array();
    for (const study::Run& baseline : study.baselines) {
        list.push_back({{"run", baseline.id},
                        {"status", study::nameOf(baseline.status)},
                        {"settings", jsonOf(baseline.settings)}});
        if (baseline.failure)
            list.back()["failure"] = {{"kind", baseline.failure->kind},
                                      {"message", baseline.failure->message}};
    }
    return list;
}

} // namespace quadric::app
