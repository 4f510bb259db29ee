// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/opinion/learner.h"
#include "core/plan/opinion/opinion.h"
#include "core/plan/words/comparison_tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace quadric::plan {
namespace {

using Truth = std::function<double(double, double, double)>;

/// A 3 × 3 × 3 factorial in coded units with one repeat of each third setting; errors are uniform.
study::Study factorial(const Truth& truth, double spread)
{
    study::Study study;
    for (const char* name : {"a", "b", "c"})
        study.factors.push_back({.name = name, .low = -1, .high = 1});
    study.responses = {{.name = "y", .unit = "s"}};
    std::mt19937_64 bits(3);
    const auto add = [&](double a, double b, double c) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        run.settings = {{"a", a}, {"b", b}, {"c", c}};
        run.status = study::RunStatus::Done;
        run.results = {{"y", truth(a, b, c) + spread * (static_cast<double>(bits() >> 11U) * 0x1p-53 - 0.5)}};
        study.runs.push_back(run);
    };
    for (int i = 0; i < 27; ++i)
        for (int copy = 0; copy < (i % 3 == 0 ? 2 : 1); ++copy)
            add(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    return study;
}

const RivalScore& scoreOf(const Opinion& opinion, std::string_view model)
{
    for (const RivalScore& score : opinion.scores)
        if (score.model == model)
            return score;
    throw std::logic_error("no such model");
}

LearningData lineOfPoints(const std::function<double(double)>& f)
{
    LearningData data{Eigen::MatrixXd(21, 1), Eigen::VectorXd(21)};
    for (int i = 0; i < 21; ++i) {
        data.features(i, 0) = -1.0 + 0.1 * i;
        data.values[i] = f(data.features(i, 0));
    }
    return data;
}

TEST(Learners, KnowWhatTheyWereTaught)
{
    const LearningData parabola = lineOfPoints([](double x) { return 3.0 + x + 2.0 * x * x; });
    const Eigen::VectorXd at = Eigen::VectorXd::Constant(1, 0.33);
    const double truth = 3.0 + 0.33 + 2.0 * 0.33 * 0.33;
    EXPECT_NEAR(trainLasso(parabola)(at), truth, 0.02); // its own model, hardly shrunk without noise
    EXPECT_NEAR(trainPerceptron(parabola)(Eigen::VectorXd::Constant(1, 0.9)), 5.52, 0.4);
    EXPECT_NEAR(trainForest(parabola)(at), truth, 0.3);
    const LearningData step = lineOfPoints([](double x) { return x < 0.25 ? 0.0 : 10.0; });
    EXPECT_NEAR(trainForest(step)(Eigen::VectorXd::Constant(1, 0.6)), 10.0, 0.5);
    EXPECT_NEAR(trainForest(step)(Eigen::VectorXd::Constant(1, -0.6)), 0.0, 0.5);
}

/// What only noise moves is left out, or nearly; what moves the values is hardly shrunk.
TEST(Learners, LassoLeavesOutWhatOnlyNoiseMoves)
{
    std::mt19937_64 bits(5);
    const auto uniform = [&bits] { return static_cast<double>(bits() >> 11U) * 0x1p-52 - 1.0; };
    LearningData data{Eigen::MatrixXd(40, 4), Eigen::VectorXd(40)};
    for (int i = 0; i < 40; ++i) {
        for (int j = 0; j < 4; ++j)
            data.features(i, j) = uniform();
        data.values[i] = 5.0 * data.features(i, 0) + 0.5 * uniform();
    }
    const Predictor predict = trainLasso(data);
    const Eigen::VectorXd center = Eigen::VectorXd::Zero(4);
    EXPECT_NEAR(predict(Eigen::VectorXd::Unit(4, 0)) - predict(-Eigen::VectorXd::Unit(4, 0)), 10.0, 0.6);
    for (int j = 1; j < 4; ++j)
        EXPECT_NEAR(predict(Eigen::VectorXd::Unit(4, j)), predict(center), 0.5);
}

/// Lines cannot follow a step in two factors, trees can. Repeats are left out with their twins: on noise
/// alone nothing predicts.
TEST(Opinion, ComparesErrorsAtSettingsLeftOut)
{
    const study::Study study = factorial(
        [](double a, double b, double c) { return (a > -0.5 && b > 0.5 ? 10.0 : 0.0) + 0.2 * c; }, 0.5);
    const Opinion opinion = secondOpinion(study, model::fitResponse(study, "y", {.model = "linear"}));
    ASSERT_EQ(opinion.message, "");
    EXPECT_EQ(opinion.runs, 36);
    EXPECT_EQ(opinion.settings, 27);
    EXPECT_EQ(opinion.parts, 20);
    ASSERT_EQ(opinion.scores.size(), 5U);
    EXPECT_EQ(opinion.scores.front().model, "polynomial");
    EXPECT_LT(scoreOf(opinion, "random forest").mae, scoreOf(opinion, "polynomial").mae);
    const report::Table table = makeOpinionTable(opinion);
    EXPECT_EQ(table.rows.size(), 5U);
    EXPECT_EQ(table.note.substr(0, 22), "36 runs at 27 settings");
    const study::Study noise = factorial([](double, double, double) { return 0.0; }, 1.0);
    for (const RivalScore& score : secondOpinion(noise, model::fitResponse(noise, "y")).scores)
        EXPECT_LT(score.r2, 0.2) << score.model;
}

/// Up to 20 settings are left out one by one: what the polynomial errs by is what fitting without them gives.
TEST(Opinion, HasTheErrorsOfFitsWithoutASetting)
{
    study::Study study = factorial([](double a, double b, double) { return 20.0 + 3.0 * a - b; }, 2.0);
    std::erase_if(study.runs,
                  [](const study::Run& run) { return study::numberOf(run.settings.at("c")) > -0.5; });
    double absolute = 0.0, squared = 0.0, sum = 0.0, squares = 0.0;
    for (const study::Run& run : study.runs) {
        study::Study rest = study;
        std::erase_if(rest.runs, [&run](const study::Run& each) { return each.settings == run.settings; });
        const model::Fit fit = model::fitResponse(rest, "y", {.model = "a + b"});
        const double y = run.results.at("y");
        const double error = y - model::predictMean(fit, study::Coding(fit.factors).toCoded(run.settings));
        absolute += std::abs(error);
        squared += error * error;
        sum += y;
        squares += y * y;
    }
    const auto n = static_cast<double>(study.runs.size());
    study.model["y"] = "a + b";
    const Opinion opinion = secondOpinion(study, model::fitResponse(study, "y", {.model = "a + b"}));
    ASSERT_EQ(opinion.settings, 9);
    const RivalScore& score = scoreOf(opinion, "polynomial");
    EXPECT_NEAR(score.mae, absolute / n, 1e-9);
    EXPECT_NEAR(score.rmse, std::sqrt(squared / n), 1e-9);
    EXPECT_NEAR(score.r2, 1.0 - squared / (squares - sum * sum / n), 1e-9);
}

/// The polynomials are on the scale of the fit, whether it was the response's own or recommended.
TEST(Opinion, KeepsTheTransform)
{
    const study::Study study =
        factorial([](double a, double b, double c) { return std::exp(2.0 * a + b + 0.5 * c); }, 0.01);
    study::Study scaled = study; // as recommended scales are tried
    scaled.responses[0].transform.kind = study::TransformKind::Log;
    const Opinion opinion = secondOpinion(study, model::fitResponse(scaled, "y", {.model = "linear"}));
    EXPECT_GT(scoreOf(opinion, "polynomial").r2, 0.98);
    EXPECT_GT(scoreOf(opinion, "lasso").r2, 0.9);
}

TEST(Opinion, SaysWhatIsMissing)
{
    study::Study study = factorial([](double a, double, double) { return a; }, 0.1);
    study.runs.resize(6); // 4 settings
    const Opinion opinion = secondOpinion(study, model::fitResponse(study, "y", {.model = "linear"}));
    EXPECT_EQ(opinion.message, "Runs at 6 or more different settings are needed, found 4.");
    EXPECT_EQ(makeOpinionTable(opinion).note, opinion.message);
}

} // namespace
} // namespace quadric::plan
