// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/record_merge.h"

#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/record_size.h"
#include "core/study/run_records.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

namespace quadric::study {
namespace {

using ::testing::HasSubstr;

Run doneWith(int id, double y)
{
    Run run = *findRun(testing::smallStudy(), id);
    run.status = RunStatus::Done;
    run.results = {{"y", y}};
    return run;
}

TEST(RecordMergeTest, TakesResultsIntoAStudyThatWasEdited)
{
    Study study = testing::smallStudy();
    study.description = "edited";
    putRuns(study, {study::Run{.id = 61,
                               .order = 61,
                               .settings = {{"a", 1.0}},
                               .status = RunStatus::Done,
                               .results = {{"y", 6.0}}}});
    const study::Run first = doneWith(1, 1.0);
    const study::Run second = doneWith(2, 2.0);
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&first}, {&second}}, study).empty());
    EXPECT_EQ(*findRun(study, 1), first);
    EXPECT_EQ(*findRun(study, 2), second);
    EXPECT_EQ(findRun(study, 61)->results.at("y"), 6.0);
    EXPECT_EQ(study.description, "edited");
}

TEST(RecordMergeTest, LeavesResultsOfOtherSettings)
{
    Study study = testing::smallStudy();
    study.runs[0].settings["a"] = 3.0;
    const Study before = study;
    const study::Run first = doneWith(1, 1.0);
    EXPECT_EQ(mergeRecords(std::vector<KnownRun>{{&first}}, study), std::vector{1});
    EXPECT_EQ(study, before);
}

TEST(RecordMergeTest, NeverReplacesAResultOfSomebodyElse)
{
    Study study = testing::smallStudy();
    study.runs[0] = doneWith(1, 42.0);
    const Study before = study;
    const study::Run own = doneWith(1, 1.0);
    EXPECT_EQ(mergeRecords(std::vector<KnownRun>{{&own}}, study), std::vector{1});
    EXPECT_EQ(study, before);
    // The result that was there when the runner began is what was to be measured again.
    const study::Run former = doneWith(1, 42.0);
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&own, &former}}, study).empty());
    EXPECT_EQ(study.runs[0], own);
}

TEST(RecordMergeTest, BringsBackRunsThatHaveEndedAndNoOthers)
{
    Study study = testing::smallStudy();
    study.runs.resize(1);
    const study::Run second = doneWith(2, 2.0);
    study::Run third = doneWith(3, 3.0);
    third.status = RunStatus::Pending;
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&second}, {&third}}, study).empty());
    EXPECT_EQ(study.runs.size(), 2U);
}

TEST(RecordMergeTest, KeepsBaselinesAndRunsApart)
{
    Study study = testing::smallStudy();
    study::Run baseline = doneWith(2, 5.0);
    baseline.kind = RunKind::Baseline;
    EXPECT_EQ(mergeRecords(std::vector<KnownRun>{{&baseline}}, study), std::vector{2});
    baseline.id = 4;
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&baseline}}, study).empty());
    EXPECT_EQ(study.baselines.size(), 1U);
}

TEST(RecordMergeTest, GivesBackWhatAnOlderVersionLacksAndNoMore)
{
    Study study = testing::smallStudy();
    study.runs[1] = doneWith(2, 42.0);
    study.runs[2].status = RunStatus::Excluded;
    study.runs[2].reason = "by hand";
    const study::Run first = doneWith(1, 1.0);
    const study::Run second = doneWith(2, 2.0);
    const study::Run third = doneWith(3, 3.0);
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&first, &first, false},
                                                   {&second, &second, false},
                                                   {&third, &third, false}},
                             study)
                    .empty());
    EXPECT_EQ(study.runs[0], first);
    EXPECT_EQ(study.runs[1], doneWith(2, 42.0));
    EXPECT_EQ(study.runs[2].status, RunStatus::Excluded);
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&third}}, study).empty());
    EXPECT_EQ(study.runs[2].status, RunStatus::Excluded);
    EXPECT_EQ(study.runs[2].reason, "by hand");
    EXPECT_EQ(study.runs[2].results, third.results);
}

TEST(RecordSizeTest, TheLargestDetailsGoFirstAndAreNamed)
{
    Study study = testing::smallStudy();
    study.runs[0] = doneWith(1, 1.0);
    study.runs[0].provenance.host = "here";
    study.runs[0].provenance.unknown = {{"large", '"' + std::string(30000, 'x') + '"'}, {"small", "1"}};
    study.runs[1].provenance.unknown = {{"small", "2"}};
    const Study before = study;
    trimRecords(study, 24000);
    EXPECT_LE(writeStudy(study).size(), 24000U);
    EXPECT_EQ(study.runs[0].provenance.unknown, (UnknownKeys{{"left_out", R"(["large"])"}, {"small", "1"}}));
    EXPECT_EQ(study.runs[0].results, before.runs[0].results);
    EXPECT_EQ(study.runs[0].provenance.host, "here");
    EXPECT_EQ(study.runs[1], before.runs[1]);
}

} // namespace
} // namespace quadric::study
