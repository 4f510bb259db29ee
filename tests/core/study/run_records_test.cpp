// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/journal.h"
#include "core/study/new_records.h"
#include "core/study/run_records.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

namespace quadric::study {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

Run baseline(int id, RunStatus status = RunStatus::Done)
{
    Run run;
    run.id = run.order = id;
    run.kind = RunKind::Baseline;
    run.settings = {{"ranks", 1.0}, {"batch_per_rank", 64.0}};
    run.status = status;
    run.results = {{"y", 12.5}};
    run.provenance.host = "here";
    return run;
}

Study twoRuns()
{
    Study study;
    study.name = "two";
    study.factors = {{.name = "x", .low = 0, .high = 1}};
    study.responses = {{.name = "y"}};
    study = withRuns(study, {{{"x", 0.0}}, {{"x", 1.0}}}, RunKind::Design);
    return study;
}

TEST(BaselinesTest, StandAmongTheRunsInTheDocumentAndApartInMemory)
{
    Study study = twoRuns();
    insertOrReplaceBaseline(study, baseline(4));
    insertOrReplaceBaseline(study, baseline(3));
    const std::string text = writeStudy(study);
    EXPECT_THAT(text, HasSubstr(R"("kind": "baseline")"));
    const LoadedStudy loaded = parseStudy(text, "two");
    EXPECT_TRUE(loaded.warnings.empty()) << loaded.warnings.front();
    EXPECT_EQ(loaded.study, study);
    EXPECT_EQ(loaded.study.runs.size(), 2U);
    EXPECT_EQ(loaded.study.baselines, (std::vector<study::Run>{baseline(3), baseline(4)}));
    EXPECT_EQ(allRuns(loaded.study).size(), 4U);
}

TEST(BaselinesTest, CountNowhere)
{
    Study with = twoRuns();
    insertOrReplaceBaseline(with, baseline(3));
    insertOrReplaceBaseline(with, baseline(4, RunStatus::Failed));
    for (const RunStatus status : {RunStatus::Done, RunStatus::Failed, RunStatus::Pending})
        EXPECT_EQ(countRuns(with, status), countRuns(twoRuns(), status));
    EXPECT_EQ(measurementQuality(with).done, 0);
    EXPECT_TRUE(measurementQuality(with).lost.empty());
    EXPECT_EQ(inRunOrder(with).size(), 2U);
}

TEST(BaselinesTest, ARecordReplacesTheOneBefore)
{
    Study study = twoRuns();
    takeRecords(study, {baseline(3, RunStatus::Running), baseline(3)});
    ASSERT_EQ(study.baselines.size(), 1U);
    EXPECT_EQ(study.baselines.front().status, RunStatus::Done);
    study.baselines.clear();
    EXPECT_EQ(study, twoRuns());
}

TEST(RecordsTest, TakeNeitherAResultNorAnExclusionAway)
{
    Study study = twoRuns();
    study.runs[0].status = RunStatus::Done;
    study.runs[0].results = {{"y", 3.0}};
    const study::Run measured = study.runs[0];
    study::Run begun = measured;
    begun.status = RunStatus::Running;
    begun.results.clear();
    takeRecords(study, {begun});
    EXPECT_EQ(study.runs[0], measured);
    study.runs[1].status = RunStatus::Excluded;
    study.runs[1].reason = "warm-up";
    study::Run record = study.runs[1];
    record.status = RunStatus::Done;
    record.reason.clear();
    record.results = {{"y", 7.0}};
    takeRecords(study, {record});
    EXPECT_EQ(study.runs[1].status, RunStatus::Excluded);
    EXPECT_EQ(study.runs[1].reason, "warm-up");
    EXPECT_EQ(study.runs[1].results, record.results);
}

TEST(RecordsTest, OfRunsGoIntoWhatSomebodyHasMadeMeanwhile)
{
    const Study before = twoRuns();
    Study edited = before, now = before;
    edited.description = "edited";
    now.runs[1].status = RunStatus::Done;
    now.runs[1].results = {{"y", 7.0}};
    Study expected = now;
    expected.description = "edited";
    EXPECT_EQ(withNewRecords(edited, before, now), expected);
    edited.runs.pop_back();
    EXPECT_EQ(withNewRecords(edited, before, now), edited) << "a run that was removed stays removed";
}

TEST(BaselinesTest, NewRunsGetOtherNumbersAndTheNextPlaceInTheOrder)
{
    Study study = twoRuns();
    insertOrReplaceBaseline(study, baseline(3));
    study = withRuns(study, {{{"x", 0.5}}}, RunKind::Confirmation);
    EXPECT_EQ(study.runs.back().id, 4);
    EXPECT_EQ(study.runs.back().order, 3);
}

TEST(BaselinesTest, ComeBackFromTheJournal)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "two.quadric";
    saveStudy(twoRuns(), path);
    {
        JournalWriter journal(path);
        journal.append(baseline(3, RunStatus::Running));
        journal.append(baseline(3));
        journal.append(baseline(4, RunStatus::Running));
    }
    Study study = loadStudy(path).study;
    EXPECT_EQ(study.runs, twoRuns().runs);
    ASSERT_EQ(study.baselines.size(), 2U);
    EXPECT_EQ(study.baselines.front(), baseline(3));
    resetRunningRuns(study);
    EXPECT_EQ(study.baselines.back().status, RunStatus::Pending);
    foldJournal(path);
    EXPECT_EQ(loadStudy(path).study.baselines.size(), 2U);
}

TEST(BaselinesTest, ANumberThatARunHasIsRefused)
{
    Study study = twoRuns();
    insertOrReplaceBaseline(study, baseline(2));
    const std::vector<Problem> problems = validate(study);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_THAT(problems.front().message, HasSubstr("the id 2 of a baseline is used twice"));
    EXPECT_TRUE(problems.front().isError);
}

TEST(WithRunsTest, PutsNewRunsOfAStudyWithBlocksIntoABlockOfTheirOwn)
{
    Study study = twoRuns();
    study.runs[1].block = 2;
    EXPECT_EQ(withRuns(study, {{{"x", 0.5}}}, RunKind::Augment).runs.back().block, 2) << "nothing has begun";
    study.runs[1].status = RunStatus::Done;
    study = withRuns(study, {{{"x", 0.5}}, {{"x", 0.6}}}, RunKind::Augment);
    EXPECT_EQ(study.runs[2].block, 3);
    EXPECT_EQ(study.runs[3].block, 3);
    EXPECT_EQ(withRuns(study, {{{"x", 0.5}}}, RunKind::Confirmation).runs.back().block, 3) << "not begun";
    study.runs[2].status = RunStatus::Failed;
    EXPECT_EQ(withRuns(study, {{{"x", 0.5}}}, RunKind::Confirmation).runs.back().block, 4);
    Study plain = twoRuns();
    plain.runs[0].status = RunStatus::Done;
    EXPECT_EQ(withRuns(plain, {{{"x", 0.5}}}, RunKind::Augment).runs.back().block, 1);
}

} // namespace
} // namespace quadric::study

using namespace quadric::study;

namespace {

Run doneRun(int id, double result, double spread)
{
    Run run;
    run.id = run.order = id;
    run.status = RunStatus::Done;
    run.results["y"] = result;
    run.spread["y"] = spread;
    return run;
}

Study studyOf(std::vector<Run> runs)
{
    Study study;
    study.responses.resize(1);
    study.responses[0].name = "y";
    study.runs = std::move(runs);
    return study;
}

} // namespace

TEST(MeasurementQuality, TellsTheSpreadInPerCentOfTheResult)
{
    Study study = studyOf({doneRun(1, 100, 1), doneRun(2, -200, 8), doneRun(3, 50, 1)}); // 1 %, 4 %, 2 %
    study.runs[1].provenance.spreadIs = "half width";
    const MeasurementQuality quality = measurementQuality(study);
    ASSERT_EQ(quality.spreads.size(), 1U);
    EXPECT_EQ(quality.done, 3);
    EXPECT_EQ(quality.spreads[0].runs, 3);
    EXPECT_DOUBLE_EQ(quality.spreads[0].median, 2.0);
    EXPECT_DOUBLE_EQ(quality.spreads[0].largest, 4.0);
    EXPECT_EQ(quality.spreads[0].largestRun, 2);
    EXPECT_EQ(quality.spreads[0].meaning, "half width");
}

TEST(MeasurementQuality, CountsNoRunThatHasNothingToSay)
{
    Study study = studyOf({doneRun(1, 100, 1), doneRun(2, 100, 3), doneRun(3, 0, 1), doneRun(4, 100, 9)});
    study.runs[3].status = RunStatus::Failed;
    const MeasurementQuality quality = measurementQuality(study);
    EXPECT_EQ(quality.spreads[0].runs, 2); // a share of 0 is not defined, a failed run has no result
    EXPECT_DOUBLE_EQ(quality.spreads[0].median, 2.0);
    EXPECT_TRUE(measurementQuality(studyOf({})).spreads.empty());
}

TEST(MeasurementQuality, NamesLostRunsWithTheirReason)
{
    Study study = studyOf({doneRun(1, 1, 0), doneRun(2, 1, 0)});
    study.runs[0].status = RunStatus::Failed;
    study.runs[0].failure = Failure{"timeout", "after 600 s"};
    study.runs[1].status = RunStatus::Excluded;
    study.runs[1].reason = "typing error";
    const MeasurementQuality quality = measurementQuality(study);
    ASSERT_EQ(quality.lost.size(), 2U);
    EXPECT_EQ(quality.lost[0].kind, "timeout");
    EXPECT_EQ(quality.lost[0].reason, "after 600 s");
    EXPECT_EQ(quality.lost[1].status, RunStatus::Excluded);
    EXPECT_EQ(quality.lost[1].reason, "typing error");
}

TEST(MeasurementQuality, ListsDisturbedRunsAndOnlyTellsOfThrottling)
{
    Study study = studyOf({doneRun(1, 1, 0), doneRun(2, 1, 0), doneRun(3, 1, 0), doneRun(4, 1, 0)});
    study.runs[0].provenance.disturbed = true;
    study.runs[0].provenance.disturbedBecause = "a neighbor";
    setProvenanceFacts(
        study.runs[1].provenance,
        {{"telemetry", R"({"devices": [{"throttled_pct": {"power": 3.5, "heat": 12}}, {"clock": 1500}]})"}});
    setProvenanceFacts(study.runs[2].provenance, {{"disturbed", "false"}, {"throttled_pct", "0"}});
    setProvenanceFacts(study.runs[3].provenance,
                       {{"telemetry", "no JSON \"throttled_pct\""}, {"note", R"({"throttled_pct": 99})"}});
    const MeasurementQuality quality = measurementQuality(study);
    ASSERT_EQ(quality.disturbed.size(), 1U);
    EXPECT_EQ(quality.disturbed[0].run, 1);
    EXPECT_EQ(quality.disturbed[0].reason, "a neighbor");
    EXPECT_EQ(quality.throttling.runs, 1);
    EXPECT_EQ(quality.throttling.largestRun, 2);
    EXPECT_DOUBLE_EQ(quality.throttling.largest, 12.0);
}

TEST(MeasurementQuality, FindsTheLargestThrottlingOfWorkerProcessorAndNodes)
{
    Study study = studyOf({doneRun(1, 1, 0), doneRun(2, 1, 0), doneRun(3, 1, 0)});
    setProvenanceFact(study.runs[0].provenance, "throttled_pct", "2.5");
    setProvenanceFact(study.runs[1].provenance, "telemetry", R"({"cpu": {"throttled_pct": 7}})");
    setProvenanceFact(study.runs[2].provenance, "telemetry",
                      R"({"nodes": [{"node": "n1"}, {"devices": [{"throttled_pct": {"heat": 5}}]}]})");
    const Throttling throttling = measurementQuality(study).throttling;
    EXPECT_EQ(throttling.runs, 3);
    EXPECT_EQ(throttling.largestRun, 2);
    EXPECT_DOUBLE_EQ(throttling.largest, 7.0);
}
