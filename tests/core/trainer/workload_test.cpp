// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/failure.h"
#include "core/trainer/measure/result.h"
#include "core/trainer/measure/validation.h"
#include "core/trainer/workload/knobs.h"
#include "core/trainer/workload/network.h"
#include "core/trainer/workload/workload.h"
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

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

/// Kind and message of the failure that a call ends in; empty when it does not.
template <typename Function> std::pair<std::string, std::string> failureOf(Function function)
{
    try {
        function();
    } catch (const Failure& failure) {
        return {failure.kind(), failure.what()};
    }
    return {};
}

std::string refusal(const std::string& settings)
{
    Workload workload;
    const auto [kind, message] = failureOf([&] { applySettings(workload, settings); });
    EXPECT_EQ(kind, kBadSettings) << settings;
    return message;
}

TEST(Settings, NumbersStringsAndAliasesAreUnderstood)
{
    Workload workload;
    const auto unknown = applySettings(
        workload, R"({"gpu_count": 2, "batch_per_gpu": 32.0, "network": "resnet18", "image_size": "64",
                      "bucket_mib": 0.5, "overlap": "off", "baseline": false, "threads_per_rank": 1,
                      "gradient_compression": 0, "dataset": "imagenet"})");
    EXPECT_THAT(unknown, ElementsAre("dataset"));
    EXPECT_EQ(workload.ranks, 2);
    EXPECT_EQ(workload.batchPerRank, 32);
    EXPECT_EQ(workload.network, "resnet18");
    EXPECT_EQ(workload.imageSize, 64);
    EXPECT_DOUBLE_EQ(workload.bucketMib, 0.5);
    EXPECT_FALSE(workload.overlap);
    EXPECT_FALSE(workload.baseline);
}

TEST(Settings, WrongValuesNameKnobValueAndExpectation)
{
    EXPECT_THAT(refusal(R"({"batch_per_rank": 0})"),
                HasSubstr("batch_per_rank: expected a whole number from 1"));
    EXPECT_THAT(refusal(R"({"ranks": 1.5})"), HasSubstr("found \"1.5\""));
    EXPECT_THAT(refusal(R"({"ranks": "many"})"), HasSubstr("whole number"));
    EXPECT_THAT(refusal(R"({"ranks": 1e300})"), HasSubstr("ranks"));
    EXPECT_THAT(refusal(R"({"ranks": "nan"})"), HasSubstr("ranks"));
    EXPECT_THAT(refusal(R"({"ranks": [2]})"), HasSubstr("array"));
    EXPECT_THAT(refusal(R"({"network": "vgg"})"), HasSubstr("resnet50"));
    EXPECT_THAT(refusal(R"({"overlap": "maybe"})"), HasSubstr("on or off"));
    EXPECT_THAT(refusal(R"({"max_seconds": -1})"), HasSubstr("0.1"));
    EXPECT_THAT(refusal(R"({"gradient_compression": 100})"), HasSubstr("0 to 99.999"));
    EXPECT_THAT(refusal(R"({"precision": "fp8"})"), HasSubstr("fp32, tf32, bf16"));
}

TEST(Settings, TextThatIsNoObjectIsRefused)
{
    for (const char* text : {"", "[]", "3", "{", "{\"ranks\": }", "null"})
        EXPECT_THAT(refusal(text), HasSubstr("JSON object")) << text;
    EXPECT_THAT(refusal(std::string(2 << 20, ' ')), HasSubstr("longer"));
}

TEST(Settings, SurviveTheTripToTheRanks)
{
    Workload workload;
    applySettings(workload,
                  R"({"ranks": 3, "bucket_mib": 0.125, "momentum": 0.875, "seed": 77, "overlap": "off",
                               "oversubscribe": "on", "max_seconds": 4.5, "network": "resnet34"})");
    Workload copy;
    EXPECT_TRUE(applySettings(copy, settingsJson(workload)).empty());
    for (const KnobAccess& access : knobs())
        EXPECT_EQ(access.get(copy), access.get(workload)) << access.knob.name;
}

TEST(StrongScaling, SharesTheGlobalBatchRoundedDown)
{
    Workload workload;
    workload.ranks = 3;
    workload.aggregation = 2;
    workload.batchPerRank = 99;
    EXPECT_EQ(resolved(workload).batchPerRank, 99) << "weak scaling keeps the batch of a rank";
    EXPECT_EQ(makeBaselineWorkload(workload).batchPerRank, 99);
    workload.scaling = Scaling::Strong;
    workload.globalBatch = 100;
    const Workload strong = resolved(workload);
    EXPECT_EQ(strong.batchPerRank, 16);
    EXPECT_EQ(strong.imagesPerStep(), 96);
    EXPECT_EQ(makeBaselineWorkload(strong).imagesPerStep(), 96) << "one rank does the work of all";
    EXPECT_EQ(makeBaselineWorkload(strong).batchPerRank, 16)
        << "micro-batch by micro-batch, in the memory of a rank";
    EXPECT_EQ(makeBaselineWorkload(strong).aggregation, 6);
    workload.globalBatch = 5;
    const auto [kind, message] = failureOf([&] { resolved(workload); });
    EXPECT_EQ(kind, kBadSettings);
    EXPECT_THAT(message, HasSubstr("6 micro-batches"));
}

TEST(GivenBaseline, MustBeOne)
{
    const auto refused = [](const std::string& settings) {
        return failureOf([&] {
                   Workload workload;
                   applySettings(workload, settings);
                   validate(workload, {8, 0, false});
               })
            .second;
    };
    EXPECT_THAT(refused(R"({"ranks": 2, "baseline_rate": 0})"),
                HasSubstr("baseline_rate: expected a number from"));
    EXPECT_THAT(refused(R"({"ranks": 2, "baseline_rate": -5})"), HasSubstr("found \"-5\""));
    EXPECT_THAT(refused(R"({"ranks": 2, "baseline_rate": "nan"})"), HasSubstr("or none, found \"nan\""));
    EXPECT_THAT(refused(R"({"ranks": 2, "baseline_half_width": 1})"), HasSubstr("expected baseline_rate"));
    EXPECT_THAT(refused(R"({"ranks": 2, "baseline_rate": 5, "baseline_half_width": 5})"),
                HasSubstr("less than baseline_rate"));
    EXPECT_THAT(refused(R"({"ranks": 2, "baseline": "off", "baseline_rate": 5})"),
                HasSubstr("baseline is off"));
    EXPECT_EQ(refused(R"({"ranks": 2, "baseline_rate": 5, "baseline_half_width": 0})"), "");
}

TEST(GivenBaseline, KeepsEveryDigitOnItsWayToTheRanks)
{
    Workload workload;
    workload.baselineRate = 1000.0 / 3.0;
    workload.baselineHalfWidth = 0.1 / 3.0;
    Workload copy;
    applySettings(copy, settingsJson(workload));
    EXPECT_EQ(copy.baselineRate, workload.baselineRate);
    EXPECT_EQ(copy.baselineHalfWidth, workload.baselineHalfWidth);
}

/// ResNet-50 with 2048 images on eight GPUs fits into 80 GB each; all of them at once would not.
TEST(Validation, StrongScalingNeedsNoMoreThanAMicroBatchOnAGpu)
{
    Workload workload;
    applySettings(workload, R"({"engine": "cuda", "network": "resnet50", "image_size": 224, "ranks": 8,
                                "precision": "bf16", "scaling": "strong", "global_batch": 2048})");
    workload = resolved(workload);
    MachineLimits limits;
    limits.whyNoGpu.clear();
    limits.gpuFreeBytes.assign(8, 79 * (std::int64_t{1} << 30));
    EXPECT_EQ(failureOf([&] { validate(workload, limits); }).second, "");
    Workload alone = workload;
    alone.ranks = 1;
    alone.batchPerRank *= 8;
    EXPECT_EQ(failureOf([&] { validate(alone, limits); }).first, kOutOfMemory);
}

/// Under srun each rank looks at the GPU that it takes; the exchange with all ranks is part of what it needs.
TEST(Validation, ARankOfManyLooksAtItsOwnGpu)
{
    Workload workload;
    applySettings(workload, R"({"engine": "cuda", "network": "resnet50", "image_size": 224, "ranks": 4,
                                "precision": "bf16", "batch_per_rank": 64})");
    MachineLimits limits;
    limits.whyNoGpu.clear();
    limits.gpuFreeBytes.assign(4, 79 * (std::int64_t{1} << 30));
    limits.gpuFreeBytes[1] = std::int64_t{1} << 30;
    EXPECT_EQ(failureOf([&] { validateRank(workload, limits, 0); }).second, "");
    EXPECT_EQ(failureOf([&] { validateRank(workload, limits, 1); }).first, kOutOfMemory);
    EXPECT_EQ(failureOf([&] { validateRank(workload, limits, 5); }).first, kOutOfMemory);
    limits.gpuFreeBytes = {79 * (std::int64_t{1} << 30)}; // confined to its own
    EXPECT_EQ(failureOf([&] { validateRank(workload, limits, 3); }).second, "");
    const auto neededBy = [&](int ranks) {
        Workload asked = workload;
        asked.ranks = ranks;
        return estimateMemory(asked, *makeNetwork("resnet50")).total() >> 20;
    };
    EXPECT_GE(neededBy(2) - neededBy(1), 600) << "NCCL's own";
    EXPECT_GE(neededBy(4) - neededBy(1), 1200);
    const std::int64_t most = estimateMemory(workload, *makeNetwork("resnet50")).total();
    limits.gpuFreeBytes = {most - 1};
    EXPECT_EQ(failureOf([&] { validateRank(workload, limits, 0); }).first, kOutOfMemory);
    limits.gpuFreeBytes = {most};
    EXPECT_EQ(failureOf([&] { validateRank(workload, limits, 0); }).second, "");
}

TEST(Validation, Tf32IsForGpus)
{
    Workload workload;
    workload.precision = Precision::Tf32;
    EXPECT_THAT(failureOf([&] { validate(workload, {2, 0, true}); }).second, HasSubstr("tf32 is for GPUs"));
}

TEST(Validation, RefusesBf16WithoutItsInstructions)
{
    Workload workload;
    workload.precision = Precision::Bf16;
    const auto [kind, message] = failureOf([&] { validate(workload, {2, 0, false}); });
    EXPECT_EQ(kind, kBadSettings);
    EXPECT_THAT(message, HasSubstr("bfloat16"));
    EXPECT_NO_THROW(validate(workload, {2, 0, true}));
}

TEST(Validation, RefusesAnEngineThatWasNotBuiltAndSaysWhichOnesAreMissing)
{
    MachineLimits limits{2, 0, false};
    limits.whyNoCpu = "this build has no oneDNN";
    limits.whyNoGpu = "no GPU was found";
    Workload workload;
    EXPECT_EQ(failureOf([&] { validate(workload, limits); }),
              std::pair(std::string(kBadSettings), std::string("engine cpu: this build has no oneDNN")));
    workload.engine = EngineKind::Automatic;
    workload.engine = chosenEngine(workload, limits);
    const auto [kind, message] = failureOf([&] { validate(workload, limits); });
    EXPECT_EQ(kind, kBadSettings);
    EXPECT_EQ(message,
              "engine auto: GPUs are not measured: no GPU was found; processors: this build has no oneDNN");
    limits.whyNoGpu.clear();
    workload.engine = EngineKind::Automatic;
    EXPECT_EQ(chosenEngine(workload, limits), EngineKind::Cuda);
}

TEST(Validation, RefusesMoreThreadsThanCores)
{
    Workload workload;
    workload.ranks = 2;
    workload.threadsPerRank = 2;
    const MachineLimits three{3, 0, false};
    const auto [kind, message] = failureOf([&] { validate(workload, three); });
    EXPECT_EQ(kind, kBadSettings);
    EXPECT_THAT(message, HasSubstr("4 is more than the 3 cores"));
    workload.oversubscribe = true;
    EXPECT_NO_THROW(validate(workload, three));
}

TEST(Validation, RefusesWhatDoesNotFitIntoMemory)
{
    Workload workload;
    workload.network = "resnet50";
    workload.imageSize = 224;
    workload.batchPerRank = 64;
    const auto [kind, message] = failureOf([&] { validate(workload, {4, std::int64_t{1} << 30, false}); });
    EXPECT_EQ(kind, kOutOfMemory);
    EXPECT_THAT(message, HasSubstr("1024 MiB are available"));
    EXPECT_NO_THROW(validate(workload, {4, std::int64_t{64} << 30, false}));
}

// The trainer takes and reports what the vocabulary (core/workload) says, no more and no less.

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
