// SPDX-License-Identifier: GPL-3.0-or-later
// What is searched and drawn where a Gaussian process predicts in place of a polynomial.
#include "core/model/predict/predict.h"
#include "core/model/process/process_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/answer/optimism.h"
#include "core/optimize/confirmation.h"
#include "core/optimize/merit/desirability.h"
#include "core/optimize/merit/evaluator.h"
#include "core/optimize/merit/merit_plots.h"
#include "core/optimize/optimum_region.h"
#include "fixtures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quadric::optimize {
namespace {

double speedAt(double a, double b)
{
    return 20.0 + 6.0 * std::tanh(4.0 * (a - 0.2)) - 5.0 * std::pow(a, 4) - 2.0 * (b - 0.3) * (b - 0.3);
}

/// A step that a quadratic cannot follow, and a cost that a line can.
study::Study steep()
{
    study::Study study;
    study.factors = {{.name = "a", .low = -1.0, .high = 1.0}, {.name = "b", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "speed", .goal = study::Goal::Maximize},
                       {.name = "cost", .goal = study::Goal::Minimize}};
    for (int i = 0; i < 40; ++i) {
        const double a = -1.0 + 2.0 * std::fmod(0.5 + i * 0.7548776662, 1.0);
        const double b = -1.0 + 2.0 * std::fmod(0.5 + i * 0.5698402910, 1.0);
        study::Run run{
            .id = i + 1, .order = i + 1, .settings = {{"a", a}, {"b", b}}, .status = study::RunStatus::Done};
        run.results["speed"] = speedAt(a, b) + 0.02 * std::sin(37.0 * i);
        run.results["cost"] = 10.0 + 3.0 * a + b + 0.02 * std::cos(53.0 * i);
        study.runs.push_back(std::move(run));
    }
    return study;
}

study::Study onlySpeed()
{
    study::Study study = model::withProcessShown(steep(), "speed", true);
    study.responses[1].goal = study::Goal::None;
    return study;
}

std::vector<model::Fit> fitsFor(const study::Study& study)
{
    return withShownProcesses(study, fitForGoals(study));
}

/// The largest value over a grid of 401 × 401 settings.
template <class Function> double largestOnGrid(Function f)
{
    double largest = -HUGE_VAL;
    for (int i = 0; i <= 400; ++i) {
        for (int j = 0; j <= 400; ++j)
            largest = std::max(largest, f(-1.0 + i / 200.0, -1.0 + j / 200.0));
    }
    return largest;
}

TEST(Predictor, StandsOnlyWhereItIsShown)
{
    const std::vector<model::Fit> fits = fitsFor(model::withProcessShown(steep(), "speed", true));
    ASSERT_EQ(fits.size(), 2U);
    EXPECT_TRUE(fits[0].predictor);
    EXPECT_FALSE(fits[1].predictor);
    EXPECT_TRUE(fits[0].ownBest);
    const std::vector<model::Fit> polynomials = fitsFor(steep());
    EXPECT_FALSE(polynomials[0].predictor);
}

TEST(Predictor, OptimumIsThatOfAGridAndNearTheTruth)
{
    const study::Study study = onlySpeed();
    const std::vector<model::Fit> fits = fitsFor(study);
    const Optimum best = findOptimum(study, fits);
    ASSERT_TRUE(best.isOk()) << best.message;
    const double onGrid = largestOnGrid([&](double a, double b) {
        return model::predictMean(fits[0], study::CodedPoint(Eigen::Vector2d(a, b)));
    });
    EXPECT_GE(best.responses[0].predicted.mean, onGrid - 1e-6);
    const double truth = largestOnGrid(speedAt);
    EXPECT_GT(speedAt(study::numberOf(best.settings.at("a")), study::numberOf(best.settings.at("b"))),
              truth - 0.1);
    EXPECT_FALSE(best.isProven) << "nothing bounds a process";
    EXPECT_TRUE(best.indifferent.empty());
}

/// The polynomial's answer is elsewhere, and worse.
TEST(Predictor, PolynomialWouldHaveBeenWrong)
{
    study::Study study = onlySpeed();
    study.view.clear();
    const Optimum best = findOptimum(study, fitForGoals(study));
    const double there =
        speedAt(study::numberOf(best.settings.at("a")), study::numberOf(best.settings.at("b")));
    const Optimum byProcess = findOptimum(onlySpeed(), fitsFor(onlySpeed()));
    EXPECT_GT(
        speedAt(study::numberOf(byProcess.settings.at("a")), study::numberOf(byProcess.settings.at("b"))),
        there + 0.2);
}

TEST(Predictor, CompromisesWithAPolynomial)
{
    const study::Study study = model::withProcessShown(steep(), "speed", true);
    const std::vector<model::Fit> fits = fitsFor(study);
    const Optimum best = findOptimum(study, fits);
    ASSERT_TRUE(best.isOk()) << best.message;
    const Goals goals = goalsOf(study, fits);
    const double onGrid = largestOnGrid([&](double a, double b) {
        const study::CodedPoint point(Eigen::Vector2d(a, b));
        return overall(goals.desirabilities,
                       std::vector{model::predictMean(fits[0], point), model::predictMean(fits[1], point)});
    });
    EXPECT_GE(best.overall, onGrid - 1e-6);
    for (const FrontPoint& point : tradeOffFront(study, fits)) {
        const study::CodedPoint at = study::Coding(study.factors).toCoded(point.settings);
        EXPECT_NEAR(point.responses[0].second, model::predictMean(fits[0], at), 1e-9);
    }
}

TEST(Predictor, EvaluatorAndLinesAgreeWithPredictions)
{
    const study::Study study = model::withProcessShown(steep(), "speed", true);
    const std::vector<model::Fit> fits = fitsFor(study);
    Evaluator evaluator({&fits[0], &fits[1]});
    const Eigen::Vector2d x(0.3, -0.45);
    Eigen::ArrayXd y, above, below;
    Eigen::MatrixXd slopes;
    evaluator.predict(x, y, slopes);
    Line line;
    evaluator.along(x, 1, line);
    for (Eigen::Index row = 0; row < 2; ++row) {
        const model::Fit& fit = fits[static_cast<std::size_t>(row)];
        EXPECT_NEAR(y[row], model::predictMean(fit, study::CodedPoint(x)), 1e-9);
        for (Eigen::Index axis = 0; axis < 2; ++axis) {
            Eigen::VectorXd up = x, down = x;
            up[axis] += 1e-5;
            down[axis] -= 1e-5;
            evaluator.predict(up, above);
            evaluator.predict(down, below);
            EXPECT_NEAR(slopes(row, axis), (above[row] - below[row]) / 2e-5, 1e-4);
        }
    }
    Eigen::ArrayXd onLine, low, high;
    line.predict(0.7, onLine);
    evaluator.predict(Eigen::Vector2d(0.3, 0.7), y);
    EXPECT_NEAR(onLine[0], y[0], 1e-9);
    EXPECT_NEAR(onLine[1], y[1], 1e-9);
    line.bounds(-1.0, 1.0, low, high);
    for (int i = 0; i <= 100; ++i) {
        line.predict(-1.0 + i / 50.0, y);
        EXPECT_TRUE((y >= low - 1e-9).all() && (y <= high + 1e-9).all()) << i;
    }
}

TEST(Predictor, MapsAndSupportAreThoseOfTheProcess)
{
    study::Study study = onlySpeed();
    const std::vector<model::Fit> fits = fitsFor(study);
    const study::CodedPoint center = study::Coding(study.factors).center();
    const LimitMap map = limitMap(study, fits, 0, 1, center, 5, MapResponses::All);
    const Eigen::MatrixXd support = supportGrid(study, fits, 0, 1, center, 5);
    for (Eigen::Index i = 0; i < 5; ++i) {
        for (Eigen::Index j = 0; j < 5; ++j) {
            const study::CodedPoint point(
                Eigen::Vector2d(-1.0 + 0.5 * static_cast<double>(i), -1.0 + 0.5 * static_cast<double>(j)));
            EXPECT_NEAR(map.layers[0].value(i, j), model::predictMean(fits[0], point), 1e-9);
            EXPECT_EQ(support(i, j) < 0.0, model::predict(fits[0], point).isExtrapolation);
        }
    }
}

/// A run at a setting is confirmed exactly where the prediction interval has it.
TEST(Predictor, ConfirmationIsJudgedByTheIntervalOfTheProcess)
{
    for (const double off : {-0.3, -0.02, 0.02, 0.3}) {
        study::Study study = onlySpeed();
        study::Run run{.id = 41,
                       .order = 41,
                       .kind = study::RunKind::Confirmation,
                       .settings = {{"a", 0.5}, {"b", 0.25}},
                       .status = study::RunStatus::Done};
        run.results = {{"speed", speedAt(0.5, 0.25) + off}, {"cost", 10.0}};
        study.runs.push_back(run);
        const std::vector<Confirmation> verdicts = confirmationVerdicts(study, fitsFor(study));
        ASSERT_EQ(verdicts.size(), 1U);
        const auto speed = std::ranges::find(verdicts[0].responses, "speed", &ConfirmedResponse::response);
        ASSERT_NE(speed, verdicts[0].responses.end());
        const model::Interval interval = *speed->predicted.prediction;
        const double half = 0.5 * (interval.high - interval.low);
        EXPECT_NEAR(*speed->halfWidths, std::abs(speed->observed - speed->predicted.mean) / half, 1e-6);
        EXPECT_EQ(speed->isInside, std::abs(off) < 0.1);
    }
}

/// What is defined for polynomials alone says so, or is left out.
TEST(Predictor, SaysWhatOnlyPolynomialsTell)
{
    const study::Study study = onlySpeed();
    const std::vector<model::Fit> fits = fitsFor(study);
    const Optimum best = findOptimum(study, fits);
    const OptimumRegion region = findOptimumRegion(study, fits, best, {});
    EXPECT_TRUE(region.isEmpty());
    EXPECT_NE(region.message().find("Gaussian process predicts speed"), std::string::npos);
    EXPECT_TRUE(correctOptimum(study, fits, best, {}, 5).responses.empty());
}

/// Two numeric factors and a categorical one of three levels, three responses of different transforms.
Fitted mixedStudy()
{
    Fitted fitted;
    fitted.study.factors.resize(3);
    fitted.study.factors[0].name = "a";
    fitted.study.factors[1].name = "b";
    fitted.study.factors[2].name = "c";
    fitted.study.factors[2].type = study::FactorType::Categorical;
    fitted.study.factors[2].categories = {"x", "y", "z"};
    const std::vector<double> beta = {3.0, 0.5, -0.4, 0.3, -0.2, 0.1, 0.25, -0.15, 0.05, 0.12, -0.3, 0.2};
    for (const auto kind : {study::TransformKind::None, study::TransformKind::Log,
                            study::TransformKind::Inverse, study::TransformKind::Logit}) {
        model::Fit fit =
            polynomialFit(fitted.study, "y" + std::to_string(fitted.fits.size()), beta, 0.0, 1.0);
        fit.transform.kind = kind;
        fitted.fits.push_back(fit);
    }
    fitted.fits[1].columns = model::columnsOf(
        model::parseModel("a + b + a*b + a^2 + a^2*b", fitted.study.factors), fitted.study.factors);
    fitted.fits[1].beta =
        Eigen::VectorXd::LinSpaced(static_cast<Eigen::Index>(fitted.fits[1].columns.size()), 0.7, -0.6);
    return fitted;
}

std::vector<const model::Fit*> pointers(const Fitted& fitted)
{
    std::vector<const model::Fit*> result;
    for (const model::Fit& fit : fitted.fits)
        result.push_back(&fit);
    return result;
}

Eigen::VectorXd randomPoint(std::mt19937& generator)
{
    std::uniform_real_distribution<double> coded(-1.5, 1.5);
    std::uniform_int_distribution<int> level(0, 2);
    Eigen::VectorXd x(3);
    x << coded(generator), coded(generator), level(generator);
    return x;
}

TEST(Evaluator, PredictsAsTheModelDoes)
{
    const Fitted fitted = mixedStudy();
    Evaluator evaluator(pointers(fitted));
    std::mt19937 generator(1);
    Eigen::ArrayXd y;
    for (int i = 0; i < 200; ++i) {
        const Eigen::VectorXd x = randomPoint(generator);
        evaluator.predict(x, y);
        for (std::size_t r = 0; r < fitted.fits.size(); ++r) {
            const double expected = model::predictMean(fitted.fits[r], study::CodedPoint(x));
            const double found = y[static_cast<Eigen::Index>(r)];
            if (std::isfinite(found)) {
                EXPECT_NEAR(found, expected, 1e-12 * std::max(1.0, std::abs(expected)));
            } else {
                EXPECT_GE(expected, 1000.0 * fitted.fits[r].largestObserved);
            }
        }
    }
}

TEST(Evaluator, SlopesAreThoseOfTheModel)
{
    const Fitted fitted = mixedStudy();
    Evaluator evaluator(pointers(fitted));
    std::mt19937 generator(2);
    Eigen::ArrayXd y;
    Eigen::MatrixXd slopes;
    for (int i = 0; i < 50; ++i) {
        const Eigen::VectorXd x = randomPoint(generator);
        evaluator.predict(x, y, slopes);
        for (std::size_t r = 0; r < fitted.fits.size(); ++r) {
            const Eigen::VectorXd expected = model::predictGradient(fitted.fits[r], study::CodedPoint(x));
            const Eigen::VectorXd found = slopes.row(static_cast<Eigen::Index>(r));
            if (std::isfinite(y[static_cast<Eigen::Index>(r)])) {
                EXPECT_LT((found - expected).norm(), 1e-9 * std::max(1.0, expected.norm()));
            }
        }
    }
}

TEST(Evaluator, LinesGoThroughThePredictionsAndStayInTheirBounds)
{
    const Fitted fitted = mixedStudy();
    Evaluator evaluator(pointers(fitted));
    std::mt19937 generator(3);
    Line line;
    Eigen::ArrayXd y, onLine, low, high;
    for (int i = 0; i < 50; ++i) {
        Eigen::VectorXd x = randomPoint(generator);
        const Eigen::Index axis = i % 2;
        evaluator.along(x, axis, line);
        line.bounds(-1.2, 0.9, low, high);
        for (double t = -1.2; t <= 0.9; t += 0.05) {
            x[axis] = t;
            evaluator.predict(x, y);
            line.predict(t, onLine);
            for (Eigen::Index r = 0; r < y.size(); ++r) {
                if (!std::isfinite(y[r]))
                    continue;
                EXPECT_NEAR(onLine[r], y[r], 1e-9 * std::max(1.0, std::abs(y[r])));
                EXPECT_GE(y[r], low[r] - 1e-9 * std::max(1.0, std::abs(y[r])));
                EXPECT_LE(y[r], high[r] + 1e-9 * std::max(1.0, std::abs(y[r])));
            }
        }
    }
}

} // namespace
} // namespace quadric::optimize
