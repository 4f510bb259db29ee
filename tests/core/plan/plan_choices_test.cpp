// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost.h"
#include "core/plan/jobs.h"
#include "core/plan/plan_choices.h"
#include "core/plan/scaling_forecast.h"
#include "core/plan/words/plan_sentences.h"
#include "core/study/document/document.h"

#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::plan {
namespace {

/// Speed 100N img/min on N GPUs at a batch of 32, twice that at 64, with errors of ±1 %; a time that is its
/// inverse.
study::Study twoFactors()
{
    study::Study study;
    study.factors = {{.name = "gpus",
                      .unit = "GPUs",
                      .type = study::FactorType::Integer,
                      .low = 1,
                      .high = 8,
                      .binds = "ranks"},
                     {.name = "batch", .low = 32, .high = 64}};
    study.responses = {{.name = "quality", .unit = "%"}, {.name = "speed", .unit = "img/min"}};
    double sign = 1.0;
    for (const int gpus : {1, 4, 8})
        for (const double batch : {32.0, 48.0, 64.0}) {
            study::Run run;
            run.id = run.order = static_cast<int>(study.runs.size()) + 1;
            run.settings = {{"gpus", double(gpus)}, {"batch", batch}};
            run.status = study::RunStatus::Done;
            run.results = {{"quality", 50.0 + sign}, {"speed", 100.0 * gpus * batch / 32.0 + sign}};
            study.runs.push_back(run);
            sign = -sign;
        }
    return study;
}

TEST(PlanChoices, AreKeptInTheStudy)
{
    const study::Study study = twoFactors();
    EXPECT_EQ(readPlanChoices(study), PlanChoices());
    EXPECT_TRUE(withPlanChoices(study, {}).view.empty()); // nothing is written of what is usual
    PlanChoices choices{.response = "speed",
                        .isPerUnit = true,
                        .amount = 1.5e7,
                        .at = {{"batch", 40.0}},
                        .within = 5400.0,
                        .probability = 0.9999,
                        .largest = "gpus",
                        .machines = 4,
                        .variation = 0.0,
                        .countFactor = "batch",
                        .worth = 1.6,
                        .gpuHour = 2.25};
    const study::Study kept = withPlanChoices(study, choices);
    EXPECT_EQ(readPlanChoices(kept), choices);
    EXPECT_EQ(readPlanChoices(study::parseStudy(study::writeStudy(kept), "kept.quadric").study), choices);
    EXPECT_EQ(kept.view.at("plan").unknown.at("within_seconds"), "5400");
    EXPECT_EQ(kept.view.at("plan").unknown.size(), 12U) << "what is usual is not written";
    EXPECT_EQ(readPlanChoices(withPlanChoices(kept, choices)), choices);
    EXPECT_TRUE(withPlanChoices(kept, {}).view.empty());
}

TEST(PlanChoices, ThatCannotBeReadAreAsIfNotThere)
{
    study::Study study = twoFactors();
    study.view["plan"].unknown = {{"response", R"("gone")"},
                                  {"probability", "2"},
                                  {"machines", R"("many")"},
                                  {"at", R"({"batch": 1000, "gpus": 2.5, "colour": "red"})"},
                                  {"largest", R"("colour")"},
                                  {"load", "-1"},
                                  {"per_unit", "1"},
                                  {"amount", "0"},
                                  {"later", "1"}};
    EXPECT_EQ(readPlanChoices(study), PlanChoices());
    EXPECT_EQ(withPlanChoices(study, {}).view.at("plan").unknown, (study::UnknownKeys{{"later", "1"}}));
}

/// Documents had rows of names and values once.
TEST(PlanChoices, OfOldDocumentsAreLeftBehind)
{
    study::Study study = twoFactors();
    study.view["plan"].views = {{"within-seconds", "60"}, {"at", "batch", "40"}};
    EXPECT_EQ(readPlanChoices(study), PlanChoices());
    EXPECT_TRUE(withPlanChoices(study, {}).view.empty());
}

TEST(PlanChoices, SayWhichQuestionsAreAsked)
{
    using Questions = std::vector<std::string>;
    EXPECT_EQ(askedQuestions({}), Questions());
    EXPECT_EQ(askedQuestions({.amount = 1e6}), Questions{"deadline"}); // nothing else tells which
    EXPECT_EQ(askedQuestions({.probability = 0.9}), Questions{"deadline"});
    EXPECT_EQ(askedQuestions({.amount = 1e6, .load = 0.5}), Questions{"queue"});
    EXPECT_EQ(askedQuestions({.doublings = 4, .gpuHour = 2.0}), (Questions{"scaling", "cost"}));
}

TEST(Work, IsReadFromUnits)
{
    EXPECT_EQ(secondsPerUnit("img/min"), 60.0);
    EXPECT_EQ(secondsPerUnit("h"), 3600.0);
    EXPECT_FALSE(secondsPerUnit("J/image"));
    EXPECT_FALSE(secondsPerUnit("%"));
    EXPECT_FALSE(secondsPerUnit("")); // no unit at all says nothing of time
    EXPECT_DOUBLE_EQ(secondsOf({WorkKind::Whole, 7.0, 60.0}, 2.0), 120.0);
    EXPECT_DOUBLE_EQ(secondsOf({WorkKind::PerUnit, 7.0, 60.0}, 2.0), 840.0);
    EXPECT_DOUBLE_EQ(secondsOf({WorkKind::Speed, 100.0, 60.0}, 2.0), 3000.0);
    const std::vector<model::Fit> fits = model::fitStudy(twoFactors());
    const model::Fit* fit = plannedFit(fits, {});
    ASSERT_NE(fit, nullptr);
    EXPECT_EQ(fit->response, "speed"); // the quality is no time
    const Work work = chosenWork(*fit, {});
    EXPECT_EQ(work.kind, WorkKind::Speed);
    EXPECT_DOUBLE_EQ(work.amount, 1e5); // 1601 img/min for an hour are 96 060
}

/// The speed grows with both factors. A setting that is chosen moves no other; a factor whose largest setting
/// is asked for is at its high end, also where that is slow.
TEST(Settings, AreTheFastestAndThoseThatAreChosen)
{
    study::Study study = twoFactors();
    const model::Fit fit = model::fitResponse(study, "speed");
    const FastestSettings fastest = findFastest(study, fit, {});
    EXPECT_EQ(fastest.settings, (study::Settings{{"gpus", 8.0}, {"batch", 64.0}}));
    EXPECT_EQ(chosenSettings(fastest.settings, {.at = {{"gpus", 2.0}}}),
              (study::Settings{{"gpus", 2.0}, {"batch", 64.0}}));
    for (study::Run& run : study.runs) // now smaller batches are faster
        run.results["speed"] *= std::pow(32.0 / study::numberOf(run.settings.at("batch")), 2);
    const model::Fit turned = model::fitResponse(study, "speed");
    EXPECT_EQ(findFastest(study, turned, {}).settings.at("batch"), study::Value(32.0));
    EXPECT_EQ(findFastest(study, turned, {.largest = "batch"}).settings.at("batch"), study::Value(64.0));
}

TEST(Spans, AreRead)
{
    EXPECT_EQ(readSpan("90"), 90.0);
    EXPECT_EQ(readSpan("1.5h"), 5400.0);
    EXPECT_EQ(readSpan(" 1 h 20 min "), 4800.0);
    EXPECT_EQ(readSpan("2e2 s"), 200.0);
    for (const char* text : {"", "h", "1 week", "-5", "1 h x", "12:30"})
        EXPECT_FALSE(readSpan(text)) << text;
}

/// Jobs are what the work takes at the values of the runs: 1000 images at 100, 150, … img/min.
TEST(QueueQuestion, HasTheRunsAsJobs)
{
    const study::Study study = twoFactors();
    const std::vector<model::Fit> fits = model::fitStudy(study);
    PlanChoices choices{.amount = 1000.0, .machines = 2, .speedUp = 4.0};
    const QueueSystems systems = queueQuestion(study, *plannedFit(fits, choices), choices);
    ASSERT_EQ(systems.slow.jobs.size(), 9U);
    EXPECT_NEAR(systems.slow.jobs[0], 60.0 * 1000.0 / 101.0, 1e-9);
    EXPECT_NEAR(systems.fast.jobs[0], 15.0 * 1000.0 / 101.0, 1e-9);
    EXPECT_EQ(systems.slow.machines, 2);
    choices.variation = 1.0;
    const Moments drawn =
        computeJobMoments(queueQuestion(study, *plannedFit(fits, choices), choices).slow.jobs);
    EXPECT_NEAR(drawn.mean, computeJobMoments(systems.slow.jobs).mean, 1e-9);
    EXPECT_NEAR(drawn.squaredVariation, 1.0, 0.02);
}

TEST(ScalePlan, IsIdealWhereTheRunsAre)
{
    const study::Study study = twoFactors();
    const std::vector<model::Fit> fits = model::fitStudy(study);
    const PlanChoices choices{.doublings = 2};
    const model::Fit& fit = *plannedFit(fits, choices);
    const study::Settings settings{{"gpus", 8.0}, {"batch", 32.0}};
    const ScaleModel scale = modelScale(study, fit, *countFactorOf(study, choices), settings);
    ASSERT_EQ(scale.forecast.message, "");
    const ScalePlan plan = planScale(scale.forecast, choices);
    ASSERT_EQ(plan.rows.size(), 5U); // 1, 4, 8, 16, 32
    EXPECT_NEAR(plan.rows.back().speed.value, 3200.0, 200.0);
    EXPECT_EQ(plan.lastWorthwhile, 32);
    EXPECT_LT(plan.rows[3].speed.high - plan.rows[3].speed.low,
              plan.rows[4].speed.high - plan.rows[4].speed.low);
    // 100 img/min at 3 an hour: 10⁶/(100/60) s = 166.7 h
    const Estimate cost = costOfMillion(3.0, ForecastRow{.count = 1, .speed = {100.0, 80.0, 125.0}}, 60.0);
    EXPECT_EQ(scale.unitSeconds, 60.0); // img/min
    EXPECT_NEAR(cost.value, 500.0, 1e-9);
    EXPECT_NEAR(cost.low, 400.0, 1e-9);
    EXPECT_NEAR(cost.high, 625.0, 1e-9);
}

/// The size of a node is that of the study, unless the factor counts something else.
TEST(ScalePlan, HasTheNodesOfTheStudy)
{
    study::Study study = twoFactors();
    EXPECT_TRUE(plannedNode(study, 0, {})->isAssumed);
    study.fixed["gpus_per_node"] = 6.0;
    EXPECT_EQ(plannedNode(study, 0, {}), study::nodeSizeOf(study));
    EXPECT_FALSE(plannedNode(study, 1, {}).has_value()) << "a batch is on no node";
}

TEST(CostPlan, IsInGpuHoursWithoutAPrice)
{
    const study::Study study = twoFactors();
    const std::vector<model::Fit> fits = model::fitStudy(study);
    PlanChoices choices{.amount = 60000.0};
    const model::Fit& fit = *plannedFit(fits, choices);
    const study::Settings settings{{"gpus", 4.0}, {"batch", 32.0}};
    const CostPlan hours = planCost(study, fits, fit, settings, choices);
    EXPECT_TRUE(hours.isInGpuHours);
    EXPECT_EQ(hours.gpus, 4);
    EXPECT_NEAR(hours.here.money.value, 10.0, 0.2); // 60 000 images at 400 a minute: 2.5 h
    EXPECT_EQ(hours.factor, "gpus");
    EXPECT_EQ(hours.along.size(), 8U);
    EXPECT_EQ(describeCost(hours).substr(0, 14), "One run takes ");
    EXPECT_EQ(planCost(study, fits, fit, settings, {.amount = 60000.0, .gpus = 8}).gpus, 8) << "as chosen";
    choices.gpuHour = 2.0;
    const CostPlan priced = planCost(study, fits, fit, settings, choices);
    EXPECT_FALSE(priced.isInGpuHours);
    EXPECT_NEAR(priced.here.money.high, 2.0 * hours.here.money.high, 1e-9);
}

/// The curve is P at each size, and reaches what was asked for at the largest one.
TEST(DeadlineAnswer, HasTheCurveOfItsProbability)
{
    const study::Study study = twoFactors();
    const std::vector<model::Fit> fits = model::fitStudy(study);
    const PlanChoices choices{.within = 600.0, .probability = 0.9};
    const model::Fit& fit = *plannedFit(fits, choices);
    const study::Settings settings{{"gpus", 8.0}, {"batch", 64.0}};
    DeadlineQuestion question = deadlineQuestion(fit, choices, settings);
    const DeadlineAnswer answer = answerDeadline(fit, question);
    ASSERT_EQ(answer.curve.kind, SizeKind::Amount);
    ASSERT_TRUE(answer.largestAmount);
    question.work.amount = *answer.largestAmount;
    EXPECT_NEAR(answerDeadline(fit, question).probability, 0.9, 1e-9);
    for (std::size_t i = 1; i < answer.curve.sizes.size(); ++i)
        EXPECT_LE(answer.curve.probabilities[i], answer.curve.probabilities[i - 1] + 1e-12);
    EXPECT_GT(answer.curve.probabilities.front(), 0.99);
    EXPECT_LT(answer.curve.probabilities.back(), 0.01);
    question.largest = "gpus";
    EXPECT_EQ(answerDeadline(fit, question).curve.sizes.size(), 8U);
}

/// The words of the page and of the command line.
TEST(PlanSentences, SayWhatIsDoneInTime)
{
    model::Fit fit;
    fit.response = "speed";
    fit.unit = "img/s";
    const DeadlineQuestion question{.work = {WorkKind::Speed, 1000.0}, .seconds = 3600.0};
    DeadlineAnswer answer{.probability = 0.5, .quantile = 7200.0, .largestAmount = 1239.0};
    EXPECT_EQ(
        describeDeadline(fit, question, answer),
        "1000 img are done within 1 h 00 min with a probability of 50 %, and within 2 h 00 min with a "
        "probability of 95 %. Largest amount done within 1 h 00 min with a probability of 95 %: 1230 img.");
    answer.quantile = std::numeric_limits<double>::infinity();
    answer.largestAmount.reset();
    EXPECT_EQ(
        describeDeadline(fit, {.work = {}, .seconds = 3600.0}, answer),
        "One run is done within 1 h 00 min with a probability of 50 %; no time has a probability of 95 %.");
    EXPECT_EQ(withoutNeedlessDigits(98765.0), 98700.0);
}

/// y = 10, 13, 13, 16 at x = −1, −1, 1, 1: at 0 a new run is 13 ± t(2) √(4.5 × 1.25). The speed is
/// 100 + 10x, the energy 50 + 20x without error.
study::Study costStudy()
{
    study::Study study;
    study.factors = {{.name = "x", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "t", .unit = "min", .goal = study::Goal::None},
                       {.name = "speed", .unit = "img/s", .goal = study::Goal::Maximize},
                       {.name = "energy", .unit = "J/img", .goal = study::Goal::Minimize}};
    for (const auto& [x, y] : {std::pair(-1.0, 10.0), {-1.0, 13.0}, {1.0, 13.0}, {1.0, 16.0}}) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        run.settings = {{"x", x}};
        run.status = study::RunStatus::Done;
        run.results = {{"t", y}, {"speed", 100 + 10 * x}, {"energy", 50 + 20 * x}};
        study.runs.push_back(run);
    }
    return study;
}

TEST(Cost, IsThatOfTheTime)
{
    const study::Study study = costStudy();
    const model::Fit fit = model::fitResponse(study, "t", {.model = "linear"});
    const study::CodedPoint point = study::Coding(fit.factors).toCoded({{"x", 0.0}});
    const RunTime time(fit, {WorkKind::PerUnit, 60.0, 60.0}, point); // 60 epochs of 13 min: 13 h
    const RunCost cost = costOf(time, {.gpus = 8, .wattsPerGpu = 500.0}, {2.0, 0.3});
    const double half = boost::math::quantile(boost::math::students_t(2), 0.975) * std::sqrt(4.5 * 1.25);
    EXPECT_NEAR(cost.seconds.value, 13 * 3600.0, 1e-6);
    EXPECT_NEAR(cost.kilowattHours.value, 13 * 4.0, 1e-9);
    EXPECT_NEAR(cost.money.value, 13 * 16.0 + 52 * 0.3, 1e-9);
    EXPECT_NEAR(cost.money.high, (13 + half) * (16.0 + 4.0 * 0.3), 1e-6);
    EXPECT_NEAR(cost.money.low, (13 - half) * (16.0 + 4.0 * 0.3), 1e-6);
}

/// Time and energy are one distribution here: with correlation 1 the cost is that of the time alone.
TEST(Cost, AddsMeasuredEnergy)
{
    const study::Study study = costStudy();
    const model::Fit fit = model::fitResponse(study, "t", {.model = "linear"});
    const study::CodedPoint point = study::Coding(fit.factors).toCoded({{"x", 0.0}});
    const RunTime time(fit, {WorkKind::PerUnit, 60.0, 60.0}, point);
    const RunTime joules(fit, {WorkKind::PerUnit, 60.0, 60.0 * 4000.0}, point); // 4 kW
    const JointErrors errors = jointErrors(time.df(), joules.df(), 1.0);
    const RunCost cost = costOf(time, {.gpus = 8, .joules = &joules, .errors = &errors}, {2.0, 0.3});
    const RunCost known = costOf(time, {.gpus = 8, .wattsPerGpu = 500.0}, {2.0, 0.3});
    EXPECT_NEAR(cost.kilowattHours.high, known.kilowattHours.high, 1e-9);
    EXPECT_NEAR(cost.money.value, known.money.value, 0.001 * known.money.value);
    EXPECT_NEAR(cost.money.high, known.money.high, 0.005 * known.money.high);
}

double quantileOfSum(const JointErrors& errors, double a, double b, double share)
{
    std::vector<double> sums;
    for (const auto& [first, second] : errors)
        sums.push_back(a * first + b * second);
    std::ranges::sort(sums);
    return sums[static_cast<std::size_t>(share * static_cast<double>(sums.size()))];
}

/// The sum of normal values is normal with variance a² + b² + 2ρab; the sum of independent Cauchy values (one
/// degree of freedom) is a Cauchy value a + b times as wide.
TEST(JointErrors, AddUpAsTheirDistributions)
{
    for (const double correlation : {-0.8, -0.3, 0.0, 0.5, 0.95}) {
        const JointErrors normal = jointErrors(1e6, 1e6, correlation);
        for (const double b : {0.2, 1.0, 3.0}) {
            const double sd = std::sqrt(1.0 + b * b + 2.0 * correlation * b);
            for (const double share : {0.025, 0.5, 0.9, 0.975})
                EXPECT_NEAR(quantileOfSum(normal, 1.0, b, share) / sd,
                            boost::math::quantile(boost::math::normal(), share), 0.02)
                    << correlation << ' ' << b << ' ' << share;
        }
    }
    EXPECT_NEAR(quantileOfSum(jointErrors(1.0, 1.0, 0.0), 1.0, 2.0, 0.95) / 3.0,
                boost::math::quantile(boost::math::cauchy(), 0.95), 0.15);
    EXPECT_NEAR(quantileOfSum(jointErrors(3.0, 7.0, 0.0), 1.0, 0.0, 0.975),
                boost::math::quantile(boost::math::students_t(3), 0.975), 0.01);
    EXPECT_NEAR(quantileOfSum(jointErrors(3.0, 7.0, 0.6), 0.0, 1.0, 0.975),
                boost::math::quantile(boost::math::students_t(7), 0.975), 0.02);
}

} // namespace
} // namespace quadric::plan
