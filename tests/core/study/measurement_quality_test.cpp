// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/measurement_quality.h"

#include <gtest/gtest.h>

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
    takeFacts(
        study.runs[1].provenance,
        {{"telemetry", R"({"devices": [{"throttled_pct": {"power": 3.5, "heat": 12}}, {"clock": 1500}]})"}});
    takeFacts(study.runs[2].provenance, {{"disturbed", "false"}, {"throttled_pct", "0"}});
    takeFacts(study.runs[3].provenance,
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
    takeFact(study.runs[0].provenance, "throttled_pct", "2.5");
    takeFact(study.runs[1].provenance, "telemetry", R"({"cpu": {"throttled_pct": 7}})");
    takeFact(study.runs[2].provenance, "telemetry",
             R"({"nodes": [{"node": "n1"}, {"devices": [{"throttled_pct": {"heat": 5}}]}]})");
    const Throttling throttling = measurementQuality(study).throttling;
    EXPECT_EQ(throttling.runs, 3);
    EXPECT_EQ(throttling.largestRun, 2);
    EXPECT_DOUBLE_EQ(throttling.largest, 7.0);
}
