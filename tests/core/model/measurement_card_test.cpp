// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement_card.h"
#include "core/model/sentinels.h"

#include <gmock/gmock.h>

using namespace quadric;
using model::Verdict;

namespace {

/// One done centre run per result, at these places of the run order.
study::Study centres(const std::vector<int>& orders, const std::vector<double>& results)
{
    study::Study study;
    study.factors = {{.name = "a", .low = 0, .high = 2}};
    study.responses = {{.name = "speed"}};
    for (std::size_t i = 0; i < orders.size(); ++i) {
        study::Run run{.id = static_cast<int>(i) + 1, .order = orders[i], .kind = study::RunKind::Center};
        run.settings = {{"a", 1.0}};
        run.status = study::RunStatus::Done;
        run.results = {{"speed", results[i]}};
        run.provenance.source = study::Source::Measured;
        study.runs.push_back(run);
    }
    return study;
}

const model::ReportCardItem* itemOf(const std::vector<model::ReportCardItem>& card, std::string_view topic)
{
    const auto found = std::ranges::find(card, topic, &model::ReportCardItem::topic);
    return found == card.end() ? nullptr : &*found;
}

std::string sentenceOf(const study::Study& study, std::string_view topic)
{
    const auto card = model::measurementCard(study, {});
    const auto* item = itemOf(card, topic);
    return item ? item->sentence : "";
}

} // namespace

// R 4.2: o <- c(2, 8, 15); y <- c(100.5, 101.4, 103.2); summary(lm(y ~ o)); sd(y)
TEST(Sentinels, ThreeRunsAgainstR)
{
    const auto found = model::sentinelsOf(centres({15, 2, 8}, {103.2, 100.5, 101.4}), "speed");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->runs, 3);
    EXPECT_NEAR(found->sd, 1.37477270849, 1e-10);
    EXPECT_NEAR(found->perRun, 0.20905511811, 1e-10);
    EXPECT_NEAR(found->change, 13 * 0.20905511811, 1e-9);
    EXPECT_NEAR(found->t.value_or(0), 6.81273317644, 1e-9);
    EXPECT_NEAR(found->p.value_or(0), 0.09278300827855, 1e-10);
}

// R 4.2: o <- c(1, 5, 9, 13, 17); y <- c(10.1, 9.8, 10.4, 9.9, 10.2); summary(lm(y ~ o))
TEST(Sentinels, FiveRunsAgainstR)
{
    const auto found = model::sentinelsOf(centres({1, 5, 9, 13, 17}, {10.1, 9.8, 10.4, 9.9, 10.2}), "speed");
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->perRun, 0.0075, 1e-12);
    EXPECT_NEAR(found->t.value_or(0), 0.351123441588, 1e-9);
    EXPECT_NEAR(found->p.value_or(0), 0.748707206390, 1e-9);
}

TEST(Sentinels, NeedThreeRunsThatAreDone)
{
    study::Study study = centres({1, 2, 3}, {1, 2, 4});
    study.runs[1].status = study::RunStatus::Failed;
    EXPECT_FALSE(model::sentinelsOf(study, "speed"));
    EXPECT_FALSE(model::sentinelsOf(centres({1, 2, 3}, {1, 2, 4}), "loss"));
}

TEST(Sentinels, ALineWithoutResidualHasNoTest)
{
    const auto found = model::sentinelsOf(centres({1, 2, 3}, {5, 6, 7}), "speed");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->perRun, 1.0);
    EXPECT_FALSE(found->p);
    EXPECT_FALSE(model::sentinelsOf(centres({1, 2, 3}, {5, 5, 5}), "speed")->p);
}

TEST(Sentinels, RunsAtAnotherSettingAreNotCompared)
{
    study::Study study = centres({1, 2, 3, 4}, {1, 2, 4, 90});
    study.runs[3].settings = {{"a", 1.5}};
    EXPECT_EQ(model::sentinelsOf(study, "speed")->runs, 3);
}

TEST(MeasurementCard, SaysHowFarAndHowEven)
{
    study::Study study = centres({1, 2, 3}, {100, 101, 99});
    study.runs[1].spread = {{"speed", 1.01}};
    study.runs.push_back({.id = 4, .order = 4});
    EXPECT_EQ(sentenceOf(study, "Runs"), "3 runs of 4 done, 1 to come.");
    EXPECT_EQ(sentenceOf(study, "Spread"), "The widest spread inside a run: speed ±1 % (run 2).");
    EXPECT_EQ(sentenceOf(study, "Repeatability"),
              "The 3 centre runs differ by (standard deviation) speed 1 %.");
    EXPECT_TRUE(sentenceOf(study, "Failed").empty());
    EXPECT_TRUE(sentenceOf(study, "Disturbed").empty());
}

TEST(MeasurementCard, FindsTheDriftOfTheSentinels)
{
    const auto card = model::measurementCard(centres({1, 5, 9, 13, 17}, {100, 102, 104.1, 106, 108}), {});
    const auto* drift = itemOf(card, "Drift");
    EXPECT_EQ(drift->verdict, Verdict::Red);
    EXPECT_EQ(drift->sentence,
              "The centre runs drift: speed changed by 7.7 % from the first to the last (p < 0.001).");
    EXPECT_FALSE(drift->whatToDo.empty());
    EXPECT_THAT(sentenceOf(centres({1, 5, 9}, {100, 98, 101}), "Drift"),
                testing::StartsWith("No drift over the order of the runs"));
    EXPECT_THAT(sentenceOf(centres({1, 5}, {100, 98}), "Drift"),
                testing::StartsWith("Drift cannot be told yet"));
}

TEST(MeasurementCard, TheModelsResidualsArePreferred)
{
    model::Fit fit;
    fit.status = model::FitStatus::Ok;
    fit.response = "speed";
    fit.residualChecks.driftP = 0.03;
    const auto card = model::measurementCard(centres({1, 5, 9}, {100, 98, 101}), {fit});
    EXPECT_EQ(itemOf(card, "Drift")->verdict, Verdict::Amber);
    EXPECT_EQ(itemOf(card, "Drift")->sentence,
              "speed drifts with the order in which the runs were made (p = 0.03).");
}

TEST(MeasurementCard, NamesDisturbedFailedAndRetriedRuns)
{
    study::Study study = centres({1, 2, 3, 4}, {100, 101, 99, 100});
    for (const std::size_t i : {0U, 2U})
        study.runs[i].provenance.disturbed = true;
    study.runs[2].provenance.disturbedBecause = "GPU 0 was shared with blender";
    study.runs[1].provenance.attempt = 2;
    study.runs[3].status = study::RunStatus::Failed;
    study.runs[3].failure = study::Failure{"out-of-memory", "needs 9 GiB"};
    EXPECT_EQ(sentenceOf(study, "Disturbed"),
              "2 runs disturbed: run 1; run 3: GPU 0 was shared with blender.");
    EXPECT_EQ(sentenceOf(study, "Failed"), "1 run failed: run 4: out-of-memory.");
    EXPECT_EQ(sentenceOf(study, "Retried"), "Measured more than once before it counted: run 2.");
    EXPECT_THAT(model::disturbedRuns(study), testing::ElementsAre(1, 3));
    study::takeFact(study.runs[0].provenance, "disturbed", "\"true\"");
    EXPECT_THAT(model::disturbedRuns(study), testing::ElementsAre(3));
}

TEST(MeasurementCard, AStudyWithoutRunsHasNone)
{
    EXPECT_TRUE(model::measurementCard({}, {}).empty());
}

TEST(MeasurementCard, SimulatedResultsAreCalledSo)
{
    study::Study study = centres({1, 2, 3}, {100, 101, 99});
    study.runs[0].provenance.source = study::Source::Simulated;
    EXPECT_THAT(sentenceOf(study, "Source"), testing::HasSubstr("simulated"));
}
