// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer takes and reports what the vocabulary (core/workload) says, no more and no less.
#include "core/trainer/measure/result.h"
#include "core/trainer/workload/knobs.h"
#include "core/trainer/workload/link_presets.h"
#include "core/trainer/workload/network.h"
#include "core/workload/knob_table.h"
#include "core/workload/response_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace quadric::trainer {
namespace {

using ::testing::UnorderedElementsAreArray;

std::string textOfNumber(double value)
{
    return nlohmann::json(value).dump();
}

bool takes(const KnobAccess& access, const std::string& text)
{
    Workload workload;
    return !access.set(workload, text);
}

TEST(VocabularyOfTheTrainer, HasTheKnobsInTheirOrder)
{
    ASSERT_EQ(knobs().size(), workload::kKnobs.size());
    for (std::size_t i = 0; i < knobs().size(); ++i) {
        EXPECT_EQ(&knobs()[i].knob, &workload::kKnobs[i]) << knobs()[i].knob.name;
        EXPECT_EQ(findKnob(workload::kKnobs[i].name), &knobs()[i]);
    }
    EXPECT_EQ(findKnob("gpu_count"), findKnob("ranks"));
    EXPECT_EQ(findKnob("none such"), nullptr);
}

TEST(VocabularyOfTheTrainer, TheUsualValueIsTheDefaultOfTheWorkload)
{
    for (const KnobAccess& access : knobs()) {
        EXPECT_EQ(access.get({}), access.knob.usual) << access.knob.name;
        EXPECT_TRUE(takes(access, std::string(access.knob.usual))) << access.knob.name;
    }
}

TEST(VocabularyOfTheTrainer, NumbersAreTakenWithinTheirRange)
{
    using workload::KnobKind;
    for (const KnobAccess& access : knobs()) {
        const workload::Knob& knob = access.knob;
        if (!workload::isNumber(knob))
            continue;
        const bool isWhole = knob.values.kind == KnobKind::Integer;
        EXPECT_TRUE(takes(access, textOfNumber(knob.values.lowest))) << knob.name;
        EXPECT_TRUE(takes(access, textOfNumber(knob.values.highest))) << knob.name;
        EXPECT_FALSE(takes(access, textOfNumber(isWhole ? knob.values.lowest - 1
                                                        : std::nextafter(knob.values.lowest, -1e300))))
            << knob.name;
        EXPECT_FALSE(takes(access, textOfNumber(isWhole ? knob.values.highest + 1
                                                        : std::nextafter(knob.values.highest, 1e300))))
            << knob.name;
        EXPECT_EQ(takes(access, textOfNumber(std::midpoint(knob.values.lowest, knob.values.highest) + 0.25)),
                  !isWhole)
            << knob.name;
        EXPECT_EQ(takes(access, "none"), knob.values.kind == KnobKind::OptionalReal) << knob.name;
    }
}

TEST(VocabularyOfTheTrainer, EveryChoiceIsTakenAndGivenBack)
{
    for (const KnobAccess& access : knobs()) {
        for (const std::string_view choice : workload::choicesOf(access.knob)) {
            Workload workload;
            EXPECT_FALSE(access.set(workload, std::string(choice))) << access.knob.name << ' ' << choice;
            EXPECT_EQ(access.get(workload), choice) << access.knob.name;
        }
        EXPECT_FALSE(takes(access, "none such")) << access.knob.name;
    }
}

template <typename Presets> std::vector<std::string> presetNames(const Presets& presets)
{
    std::vector<std::string> names;
    for (const Preset& preset : presets)
        names.push_back(preset.name);
    return names;
}

TEST(VocabularyOfTheTrainer, NetworksAndPresetsExist)
{
    for (const std::string_view name : workload::choicesOf(workload::knob("network")))
        EXPECT_TRUE(makeNetwork(name)) << name;
    EXPECT_THAT(presetNames(gpuPresets()),
                UnorderedElementsAreArray(workload::choicesOf(workload::knob("gpu"))));
    EXPECT_THAT(presetNames(networkPresets()),
                UnorderedElementsAreArray(workload::choicesOf(workload::knob("node_network"))));
}

/// A change of the knob that is no default.
std::string anotherValue(const workload::Knob& knob)
{
    if (!workload::isNumber(knob)) {
        const auto choices = workload::choicesOf(knob);
        return std::string(choices[choices.front() == knob.usual ? 1 : 0]);
    }
    return textOfNumber(knob.values.highest); // no default
}

/// Runs that differ only in what one rank alone does not execute share a baseline, and no others.
TEST(VocabularyOfTheTrainer, TheBaselineDependsOnWhatTheTableSays)
{
    const std::string plain = settingsJson(sharedBaselineOf({}));
    for (const KnobAccess& access : knobs()) {
        if (access.knob.name == "ranks" || access.knob.name == "scaling")
            continue; // the work of one rank depends on them together with others: see SharedBaseline
        Workload other;
        ASSERT_FALSE(access.set(other, anotherValue(access.knob))) << access.knob.name;
        EXPECT_EQ(settingsJson(sharedBaselineOf(other)) != plain,
                  access.knob.oneRank == workload::OneRank::Executes)
            << access.knob.name;
    }
}

/// All that the trainer could ever report: a measurement on GPUs with a baseline and a price.
RunRecord fullRecord()
{
    RunRecord record;
    record.workload.ranks = 2;
    record.workload.pricePerRankHour = 2.0;
    record.together.stepsMs = {10.0, 11.0, 12.0};
    record.baseline = record.together;
    record.joules = 5.0;
    record.trainedLoss = 1.5;
    return record;
}

std::vector<std::string> reported(const RunRecord& record)
{
    std::vector<std::string> names;
    const nlohmann::json result = resultEvent(record);
    for (const auto& [name, value] : result.at("responses").items())
        names.push_back(name);
    return names;
}

/// The names of the responses but those with one of the needs.
std::vector<std::string> responsesWithout(std::initializer_list<workload::Needs> unmet)
{
    std::vector<std::string> names;
    for (const workload::Response& response : workload::kResponses) {
        if (std::ranges::find(unmet, response.needs) == unmet.end())
            names.emplace_back(response.name);
    }
    return names;
}

TEST(VocabularyOfTheTrainer, ReportsTheResponsesWhereTheirNeedsAreMet)
{
    using workload::Needs;
    EXPECT_THAT(reported(fullRecord()), UnorderedElementsAreArray(responsesWithout({})));
    RunRecord simulated = fullRecord();
    simulated.workload.engine = EngineKind::Simulated;
    simulated.workload.pricePerRankHour = 0.0;
    simulated.baseline.reset();
    simulated.joules.reset();
    simulated.trainedLoss.reset();
    EXPECT_THAT(reported(simulated),
                UnorderedElementsAreArray(responsesWithout(
                    {Needs::Baseline, Needs::Price, Needs::Training, Needs::Learning, Needs::Gpus})));
}

} // namespace
} // namespace quadric::trainer
