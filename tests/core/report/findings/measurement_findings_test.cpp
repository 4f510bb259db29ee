// SPDX-License-Identifier: GPL-3.0-or-later
#include "center_runs.h"
#include "core/model/fit/observations.h"
#include "core/report/findings/data_findings.h"
#include "core/report/findings/measurement_findings.h"
#include "core/report/tables/study_tables.h"
#include "core/study/run_records.h"

#include <gmock/gmock.h>

using namespace quadric;
using quadric::test::centers;
using report::Severity;

namespace {

const report::Finding* measurementTopic(const std::vector<report::Finding>& card, std::string_view topic)
{
    const auto found = std::ranges::find(card, topic, &report::Finding::topic);
    return found == card.end() ? nullptr : &*found;
}

std::string sentenceOf(const study::Study& study, std::string_view topic)
{
    const auto card = report::findInMeasurement(study, {});
    const auto* item = measurementTopic(card, topic);
    return item ? item->sentence : "";
}

} // namespace

TEST(MeasurementFindings, SaysHowFarAndHowEven)
{
    study::Study study = centers({1, 2, 3}, {100, 101, 99});
    study.runs[1].spread = {{"speed", 1.01}};
    study.runs.push_back({.id = 4, .order = 4});
    EXPECT_EQ(sentenceOf(study, "Runs"), "3 of 4 runs done, 1 pending.");
    EXPECT_EQ(sentenceOf(study, "Spread"), "Widest spread inside a run: speed ±1 % (run 2).");
    EXPECT_EQ(sentenceOf(study, "Repeatability"), "Standard deviation of the 3 center points: speed 1 %.");
    EXPECT_TRUE(sentenceOf(study, "Failed").empty());
    EXPECT_TRUE(sentenceOf(study, "Disturbed").empty());
}

TEST(MeasurementFindings, CopiesShowNoRepeatability)
{
    study::Study study = centers({1, 4, 7}, {100.123, 100.123, 100.123});
    for (const double a : {0.0, 0.5, 2.0}) {
        study::Run run = study.runs.front();
        run.id = static_cast<int>(study.runs.size()) + 1;
        run.order = 2 * run.id;
        run.kind = study::RunKind::Design;
        run.settings = {{"a", a}};
        run.results = {{"speed", 90.5 + 7.777 * a}};
        study.runs.push_back(run);
    }
    EXPECT_TRUE(sentenceOf(study, "Repeatability").empty());
    const auto card = report::findInMeasurement(study, {});
    const auto* copies = measurementTopic(card, "Replicates");
    ASSERT_NE(copies, nullptr);
    EXPECT_EQ(copies->code, "copied-results");
    EXPECT_EQ(copies->severity, Severity::Amber);
    EXPECT_THAT(copies->runs, testing::ElementsAre(1, 2, 3));
}

TEST(MeasurementFindings, FindsTheDriftOfTheSentinels)
{
    const auto card = report::findInMeasurement(centers({1, 5, 9, 13, 17}, {100, 102, 104.1, 106, 108}), {});
    const auto* drift = measurementTopic(card, "Drift");
    EXPECT_EQ(drift->severity, Severity::Red);
    EXPECT_EQ(drift->sentence, "speed drifts with the run order (p < 0.001).");
    EXPECT_FALSE(drift->advice.empty());
    EXPECT_THAT(sentenceOf(centers({1, 5, 9}, {100, 98, 101}), "Drift"),
                testing::AllOf(testing::StartsWith("No significant drift with the run order (p"),
                               testing::EndsWith(").")))
        << "no name of a value is left";
    EXPECT_EQ(sentenceOf(centers({1, 5}, {100, 98}), "Drift"), "");
}

TEST(MeasurementFindings, TheModelsResidualsArePreferred)
{
    model::Fit fit;
    fit.status = model::FitStatus::Ok;
    fit.response = "speed";
    fit.dfResidual = 8;
    fit.residualChecks.driftP = 0.03;
    const auto card = report::findInMeasurement(centers({1, 5, 9}, {100, 98, 101}), {fit});
    EXPECT_EQ(measurementTopic(card, "Drift")->severity, Severity::Amber);
    EXPECT_EQ(measurementTopic(card, "Drift")->sentence, "speed drifts with the run order (p = 0.03).");
}

/// A baseline that was slowed down makes everything that is related to it look better than it is.
TEST(MeasurementFindings, NamesRunsOnDisturbedBaselines)
{
    study::Study study = centers({1, 2, 3}, {100, 101, 99});
    study::Run baseline = study.runs[0];
    baseline.id = 9;
    baseline.kind = study::RunKind::Baseline;
    study.baselines = {baseline};
    study.runs[0].provenance.baselineRun = 9;
    study.runs[2].provenance.baselineRun = 9;
    EXPECT_EQ(sentenceOf(study, "Baselines"), "");
    study.baselines[0].provenance.disturbed = true;
    study.baselines[0].provenance.disturbedBecause = "others computed";
    study.runs[1].provenance.baselineRun = 8; // which is not there any more
    EXPECT_EQ(sentenceOf(study, "Baselines"),
              "Runs 1 and 3 are related to baselines that were disturbed (9: others computed): scaling "
              "efficiency and speed-up may be too high there.");
    study.runs[2].status = study::RunStatus::Excluded;
    EXPECT_EQ(sentenceOf(study, "Baselines").substr(0, 8), "Run 1 is");
}

TEST(MeasurementFindings, NamesDisturbedAndFailedRuns)
{
    study::Study study = centers({1, 2, 3, 4}, {100, 101, 99, 100});
    for (const std::size_t i : {0U, 2U})
        study.runs[i].provenance.disturbed = true;
    study.runs[2].provenance.disturbedBecause = "GPU 0 was shared with blender";
    study.runs[3].status = study::RunStatus::Failed;
    study.runs[3].failure = study::Failure{"bad-output", "no JSON"};
    EXPECT_EQ(sentenceOf(study, "Disturbed"),
              "2 runs were disturbed: run 1; run 3: GPU 0 was shared with blender.");
    EXPECT_EQ(sentenceOf(study, "Failed"), "1 run failed: run 4: bad output.");
    EXPECT_EQ(sentenceOf(study, "Memory"), "");
    EXPECT_THAT(report::disturbedRuns(study), testing::ElementsAre(1, 3));
    study::setProvenanceFact(study.runs[0].provenance, "disturbed", "\"true\"");
    EXPECT_THAT(report::disturbedRuns(study), testing::ElementsAre(3));
}

/// The same settings would fail again: no log tells more, and no retry mends it.
TEST(MeasurementFindings, DoesNotAskToRetryWhatGoesOutOfMemory)
{
    study::Study study = centers({1, 2, 3, 4}, {100, 101, 99, 100});
    for (const std::size_t i : {1U, 3U}) {
        study.runs[i].status = study::RunStatus::Failed;
        study.runs[i].failure = study::Failure{"out-of-memory", "needs 9 GiB"};
    }
    const std::vector<report::Finding> card = report::findInMeasurement(study, {});
    const report::Finding* memory = measurementTopic(card, "Memory");
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(memory->sentence, "Runs 2 and 4 went out of memory.");
    EXPECT_EQ(memory->advice, "They would fail again: recommendations and further runs avoid such settings.");
    EXPECT_EQ(measurementTopic(card, "Failed"), nullptr);
}

/// Nothing is wrong with it, and nothing of it is in a model.
TEST(MeasurementFindings, ACancelledRunHasNotFailed)
{
    study::Study study = centers({1, 2, 3, 4}, {100, 101, 99, 100});
    study.runs[3].status = study::RunStatus::Failed;
    study.runs[3].failure = study::Failure{"cancelled", "the run was cancelled on request"};
    study.runs[3].results.clear();
    EXPECT_TRUE(sentenceOf(study, "Failed").empty());
    for (const report::Finding& finding : report::findInMeasurement(study, {}))
        EXPECT_EQ(finding.severity, Severity::Green) << finding.sentence;
    EXPECT_EQ(report::describeStatus(study.runs[3]), "cancelled");
    EXPECT_EQ(study::countFailed(study), 0);
    EXPECT_EQ(study::countCancelled(study), 1);
    EXPECT_TRUE(model::collect(study, "speed").failed.empty());
}

/// Nothing that is only counted is called good.
TEST(MeasurementFindings, FactsAreNotJudged)
{
    const auto card = report::findInMeasurement(centers({1, 2}, {100, 101}), {});
    EXPECT_EQ(report::shownName(*measurementTopic(card, "Runs")), "");
    EXPECT_EQ(measurementTopic(card, "Drift"), nullptr) << "two runs say nothing of it";
    const auto more = report::findInMeasurement(centers({1, 2, 3}, {100, 101, 99}), {});
    EXPECT_EQ(report::shownName(*measurementTopic(more, "Repeatability")), "OK");
}

TEST(MeasurementFindings, AStudyWithoutRunsHasNone)
{
    EXPECT_TRUE(report::findInMeasurement({}, {}).empty());
}

TEST(MeasurementFindings, SimulatedResultsAreCalledSo)
{
    study::Study study = centers({1, 2, 3}, {100, 101, 99});
    study.runs[0].provenance.source = study::Source::Simulated;
    EXPECT_THAT(sentenceOf(study, "Source"), testing::HasSubstr("simulated"));
}

namespace quadric::report {

/// A central composite plan of 8 to 64 GPUs has computed axial runs at −3.6 and 75.6.
TEST(DataFindingsTest, namesSettingsThatCannotBe)
{
    study::Study study;
    study.factors = {{.name = "gpus", .low = 8, .high = 64}, {.name = "shift", .low = -1, .high = 1}};
    study.runs = {{.id = 1, .settings = {{"gpus", 8.0}, {"shift", -1.4}}},
                  {.id = 2, .kind = study::RunKind::Axial, .settings = {{"gpus", -3.6}, {"shift", 0.0}}}};
    const std::vector<Finding> findings = findInData(study);
    const auto found = std::ranges::find(findings, "impossible-settings", &Finding::code);
    ASSERT_NE(found, findings.end());
    EXPECT_EQ(found->runs, std::vector<int>{2});
    EXPECT_EQ(found->sentence, "Run 2 has gpus at 0 or below, though its range begins at 8.");
}

} // namespace quadric::report
