// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/optimal/optimal.h"

#include "core/design/optimal/optimal_search.h"
#include "core/study/space/constraint.h"
#include "design_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <random>

namespace quadric::design {
namespace {

/// A factor of the integers −1, 0, 1, whose coded values are themselves.
void makeThreeLevels(study::Factor& factor)
{
    factor.type = study::FactorType::Integer;
}

double dValue(const study::Study& study, int runs, const std::string& model)
{
    return optimalDesign(study, {.criterion = Criterion::D, .model = model, .runs = runs}).value;
}

double iValue(const study::Study& study, int runs, const std::string& model)
{
    return optimalDesign(study, {.criterion = Criterion::I, .model = model, .runs = runs}).value;
}

/// D efficiency in percent of model rows.
double efficiencyOf(const Eigen::MatrixXd& x)
{
    const double determinant = (x.transpose() * x).determinant();
    return 100.0 * std::pow(std::max(determinant, 0.0), 1.0 / static_cast<double>(x.cols())) /
           static_cast<double>(x.rows());
}

/// The rows of every multiset of `runs` out of `candidates` are handed to `visit`.
template <class Visit> void forEachDesign(const Eigen::MatrixXd& candidates, int runs, const Visit& visit)
{
    std::vector<Eigen::Index> chosen(static_cast<std::size_t>(runs), 0);
    Eigen::MatrixXd x(runs, candidates.cols());
    while (true) {
        for (Eigen::Index i = 0; i < runs; ++i)
            x.row(i) = candidates.row(chosen[static_cast<std::size_t>(i)]);
        visit(x);
        auto at = std::find_if(chosen.rbegin(), chosen.rend(),
                               [&](Eigen::Index i) { return i + 1 < candidates.rows(); });
        if (at == chosen.rend())
            return;
        const Eigen::Index next = *at + 1;
        std::fill(chosen.begin() + (chosen.rend() - at - 1), chosen.end(), next);
    }
}

Eigen::RowVectorXd quadraticRow(double a, double b)
{
    Eigen::RowVectorXd row(6);
    row << 1.0, a, b, a * b, a * a, b * b;
    return row;
}

/// Quadratic rows of the nine points of −1, 0, 1 for which `isLegal`.
template <class IsLegal> Eigen::MatrixXd threeByThree(const IsLegal& isLegal)
{
    Eigen::MatrixXd rows(9, 6);
    Eigen::Index count = 0;
    for (const double a : {-1.0, 0.0, 1.0})
        for (const double b : {-1.0, 0.0, 1.0}) {
            if (isLegal(a, b))
                rows.row(count++) = quadraticRow(a, b);
        }
    return rows.topRows(count);
}

double bestEfficiency(const Eigen::MatrixXd& candidates, int runs)
{
    double best = 0.0;
    forEachDesign(candidates, runs,
                  [&](const Eigen::MatrixXd& x) { best = std::max(best, efficiencyOf(x)); });
    return best;
}

double bestAverage(const Eigen::MatrixXd& candidates, const Eigen::MatrixXd& moments, int runs)
{
    double best = 1e300;
    forEachDesign(candidates, runs, [&](const Eigen::MatrixXd& x) {
        const Eigen::FullPivLU<Eigen::MatrixXd> information(x.transpose() * x);
        if (information.isInvertible())
            best = std::min(best, information.solve(moments).trace());
    });
    return best;
}

/// Moments of the quadratic model of two factors over the square: E a² = 1/3, E a⁴ = 1/5, E a²b² = 1/9.
Eigen::MatrixXd squareMoments()
{
    Eigen::MatrixXd w = Eigen::MatrixXd::Zero(6, 6);
    w.diagonal() << 1.0, 1.0 / 3, 1.0 / 3, 1.0 / 9, 1.0 / 5, 1.0 / 5;
    w(0, 4) = w(4, 0) = w(0, 5) = w(5, 0) = 1.0 / 3;
    w(4, 5) = w(5, 4) = 1.0 / 9;
    return w;
}

TEST(Exchange, GainsAreThoseOfTheWholeCalculation)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto rowsOf = [&](Eigen::Index count) {
        Eigen::MatrixXd rows(count, 6);
        for (Eigen::Index i = 0; i < count; ++i)
            rows.row(i) = quadraticRow(uniform(random), uniform(random));
        return rows;
    };
    const Eigen::MatrixXd rows = rowsOf(9);
    const Eigen::MatrixXd candidates = rowsOf(5);
    const Eigen::MatrixXd root = squareMoments().llt().matrixL();
    const auto average = [&](const Eigen::MatrixXd& x) {
        return ((x.transpose() * x).inverse() * squareMoments()).trace();
    };
    for (const Criterion criterion : {Criterion::D, Criterion::I}) {
        Exchange exchange(criterion, Eigen::MatrixXd::Zero(6, 6), root, rows);
        ASSERT_TRUE(exchange.refresh());
        const Eigen::ArrayXd gains = exchange.gains(2, candidates);
        for (Eigen::Index i = 0; i < candidates.rows(); ++i) {
            Eigen::MatrixXd changed = rows;
            changed.row(2) = candidates.row(i);
            const double expected =
                criterion == Criterion::D
                    ? (changed.transpose() * changed).determinant() / (rows.transpose() * rows).determinant()
                    : average(rows) / average(changed);
            EXPECT_NEAR(gains[i], expected, 1e-8 * expected);
        }
        exchange.replace(2, candidates.row(1).transpose());
        Eigen::MatrixXd changed = rows;
        changed.row(2) = candidates.row(1);
        EXPECT_TRUE(exchange.inverse().isApprox((changed.transpose() * changed).inverse(), 1e-8));
    }
}

/// Two-level designs reach 100 % where a Hadamard matrix has room: 2², 2³, Plackett–Burman of 12 runs.
TEST(DOptimal, FindsOrthogonalTwoLevelDesigns)
{
    EXPECT_NEAR(dValue(cube(2), 4, "linear"), 100.0, 1e-9);
    EXPECT_NEAR(dValue(cube(3), 4, "linear"), 100.0, 1e-9);
    EXPECT_NEAR(dValue(cube(3), 8, "interactions"), 100.0, 1e-9);
    EXPECT_NEAR(dValue(cube(7), 8, "linear"), 100.0, 1e-9);
    EXPECT_NEAR(dValue(cube(11), 12, "linear"), 100.0, 1e-9);
}

/// Saturated weighing designs: the largest determinants of ±1 matrices of order 5, 6, 7 are 48, 160, 576
/// (Hadamard's maximal determinant problem, OEIS A003433).
TEST(DOptimal, ReachesTheLargestDeterminantsOfSigns)
{
    for (const auto& [order, determinant] : {std::pair{5, 48.0}, {6, 160.0}, {7, 576.0}})
        EXPECT_NEAR(dValue(cube(order - 1), order, "linear"),
                    100.0 * std::pow(determinant * determinant, 1.0 / order) / order, 1e-6)
            << order;
}

/// −1, 0, 1 equally often: |X'X| = 4 (n/3)³. With 4 runs one point is run twice: 8.
TEST(DOptimal, OfAParabola)
{
    EXPECT_NEAR(dValue(cube(1), 3, "quadratic"), 100.0 * std::cbrt(4.0) / 3.0, 1e-9);
    EXPECT_NEAR(dValue(cube(1), 4, "quadratic"), 100.0 * std::cbrt(8.0) / 4.0, 1e-9);
    EXPECT_NEAR(dValue(cube(1), 6, "quadratic"), 100.0 * std::cbrt(32.0) / 6.0, 1e-9);
}

/// A cubic in one factor: the points of the D-optimal design are ±1 and ±1/√5 (Guest 1958; Fedorov 1972).
TEST(DOptimal, OfACubicLiesBetweenTheLevels)
{
    const OptimalDesign design =
        optimalDesign(cube(1), {.criterion = Criterion::D, .model = "a^3", .runs = 4});
    const double inner = 1.0 / std::sqrt(5.0);
    std::vector<double> found;
    for (const DesignPoint& point : design.points)
        found.push_back(point.point[0]);
    EXPECT_THAT(found, testing::Pointwise(testing::DoubleNear(0.003), {-1.0, -inner, inner, 1.0}));
}

/// Box & Draper 1971: six runs for the quadratic of two factors, δ = (4 − √13)/3; nine runs: the 3².
TEST(DOptimal, OfTwoFactorsReachesBoxAndDraper)
{
    const double d = (4.0 - std::sqrt(13.0)) / 3.0;
    Eigen::MatrixXd x(6, 6);
    x << quadraticRow(-1, -1), quadraticRow(1, -1), quadraticRow(-1, 1), quadraticRow(-d, -d),
        quadraticRow(1, 3 * d), quadraticRow(3 * d, 1);
    EXPECT_GE(dValue(cube(2), 6, "quadratic"), 0.9999 * efficiencyOf(x));
    EXPECT_LE(dValue(cube(2), 6, "quadratic"), 1.0001 * efficiencyOf(x));
    EXPECT_GE(dValue(cube(2), 9, "quadratic"), 0.9999 * 100.0 * std::pow(5184.0, 1.0 / 6.0) / 9.0);
}

class SmallSet : public testing::TestWithParam<int> {};

TEST_P(SmallSet, IsSearchedAsWellAsByTryingAll)
{
    study::Study study = cube(2);
    std::ranges::for_each(study.factors, makeThreeLevels);
    const Eigen::MatrixXd all = threeByThree([](double, double) { return true; });
    EXPECT_NEAR(dValue(study, GetParam(), "quadratic"), bestEfficiency(all, GetParam()), 1e-6);
    EXPECT_NEAR(iValue(study, GetParam(), "quadratic"), bestAverage(all, squareMoments(), GetParam()), 1e-6);
}

TEST_P(SmallSet, IsSearchedAsWellAsByTryingAllUnderAConstraint)
{
    study::Study study = cube(2);
    std::ranges::for_each(study.factors, makeThreeLevels);
    study.constraints = {"a + b <= 1 and not (a == -1 and b == -1)"};
    const Eigen::MatrixXd legal =
        threeByThree([](double a, double b) { return a + b <= 1.0 && !(a == -1.0 && b == -1.0); });
    ASSERT_EQ(legal.rows(), 7);
    EXPECT_NEAR(dValue(study, GetParam(), "quadratic"), bestEfficiency(legal, GetParam()), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Runs, SmallSet, testing::Values(6, 7, 8, 9));

/// Two numeric factors and a category of three levels, all main effects and interactions with the category:
/// every multiset of the 12 corner settings.
TEST(DOptimal, WithACategorySearchesAsWellAsByTryingAll)
{
    study::Study study = cube(2);
    study::Factor category;
    category.name = "c";
    category.type = study::FactorType::Categorical;
    category.categories = {"x", "y", "z"};
    study.factors.push_back(category);
    Eigen::MatrixXd candidates(12, 7);
    Eigen::Index row = 0;
    for (const double a : {-1.0, 1.0})
        for (const double b : {-1.0, 1.0})
            for (const int level : {0, 1, 2}) {
                const double first = level == 0 ? 1.0 : level == 2 ? -1.0 : 0.0;
                const double second = level == 1 ? 1.0 : level == 2 ? -1.0 : 0.0;
                candidates.row(row++) << 1.0, a, b, first, second, a * first, a * second;
            }
    EXPECT_NEAR(dValue(study, 7, "a + b + c + a*c"), bestEfficiency(candidates, 7), 1e-6);
}

/// Two blocks of four runs for three factors with interactions: 2³ halved by ABC loses nothing.
TEST(DOptimal, LaysBlocksOutOrthogonally)
{
    const OptimalDesign design =
        optimalDesign(cube(3), {.criterion = Criterion::D, .model = "interactions", .runs = 8, .blocks = 2});
    EXPECT_NEAR(design.value, 100.0, 1e-6);
    EXPECT_EQ(std::ranges::count(design.points, 1, &DesignPoint::block), 4);
}

/// A better design than the published ones of the same size must be found: they are among the candidates.
TEST(IOptimal, IsNotWorseThanTheFaceCenteredCube)
{
    std::vector<std::vector<double>> points;
    for (const double a : {-1.0, 1.0})
        for (const double b : {-1.0, 1.0})
            for (const double c : {-1.0, 1.0})
                points.push_back({a, b, c});
    for (const double s : {-1.0, 1.0})
        for (std::size_t i = 0; i < 3; ++i) {
            std::vector<double> star(3, 0.0);
            star[i] = s;
            points.push_back(star);
        }
    points.insert(points.end(), 2, {0.0, 0.0, 0.0});
    const Evaluation faceCentered = evaluate(codedStudy(points), "quadratic");
    EXPECT_LE(iValue(cube(3), 16, "quadratic"), faceCentered.iValue + 1e-9);
    EXPECT_GE(dValue(cube(3), 16, "quadratic"), faceCentered.dEfficiency - 1e-9);
}

TEST(Optimal, ReportsWhatEvaluateSays)
{
    study::Study study = cube(3);
    study.design.type = "d-optimal";
    study.design.runs = 14;
    study.design.centerRuns = 2;
    study.design.blocks = 2;
    const study::Study laidOut = layOut(study);
    EXPECT_EQ(laidOut.runs.size(), 16U);
    EXPECT_EQ(runCount(study), 16);
    const Evaluation evaluation = evaluate(laidOut, "quadratic");
    EXPECT_EQ(evaluation.dfBlocks, 1);
    study.design.type = "i-optimal";
    const Evaluation averaged = evaluate(layOut(study), "quadratic");
    EXPECT_LT(averaged.iValue, evaluation.iValue);
    EXPECT_GT(evaluation.dEfficiency, averaged.dEfficiency);
    study.design.type = "d-optimal";
    study.design.blocks = 1;
    study.design.centerRuns = 0;
    study.design.digits = 0; // levels as found
    EXPECT_NEAR(dValue(cube(3), 14, "quadratic"), evaluate(layOut(study), "quadratic").dEfficiency, 1e-6);
}

/// Integers, multiples, lists, logarithms and constraints are kept to the letter.
TEST(Optimal, UsesLegalSettingsOnly)
{
    study::Study study;
    study.factors = {
        {.name = "gpus",
         .type = study::FactorType::Integer,
         .low = 8,
         .high = 64,
         .scale = study::Scale::Log2,
         .multipleOf = 8},
        {.name = "batch",
         .type = study::FactorType::Integer,
         .low = 32,
         .high = 256,
         .scale = study::Scale::Log2},
        {.name = "bucket",
         .type = study::FactorType::Discrete,
         .low = 1,
         .high = 100,
         .levels = {1, 4, 25, 100}},
        {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16"}},
    };
    study.constraints = {"gpus * batch <= 8192", "precision == \"bf16\" or batch <= 128"};
    study.design.type = "d-optimal";
    study.design.centerRuns = 2;
    const study::Study laidOut = layOut(study);
    EXPECT_EQ(laidOut.runs.size(), 14U + 5U + 3U + 2U)
        << "1 + 4 linear + 6 interactions + 3 squares, 5 spare, 3 replicates";
    EXPECT_EQ(runCount(study), 24);
    EXPECT_GE(evaluate(laidOut, "quadratic").dfPureError, 3);
    for (const study::Run& run : laidOut.runs) {
        EXPECT_TRUE(study::isLegal(laidOut, run.settings));
        for (const study::Factor& factor : study.factors) {
            if (factor.isNumeric()) {
                const double value = study::numberOf(run.settings.at(factor.name));
                EXPECT_EQ(study::snapToLegal(factor, value), value);
            }
        }
    }
    EXPECT_TRUE(evaluate(laidOut, "quadratic").dfLackOfFit >= 0);
}

/// Without a repeated run no lack of fit can be tested, and a wrong model is called right.
TEST(Optimal, RepeatsRunsUnlessTheStudySaysOtherwise)
{
    study::Study study;
    study.factors = {
        {.name = "gpus", .type = study::FactorType::Discrete, .low = 1, .high = 8, .levels = {1, 2, 4, 8}},
        {.name = "batch", .type = study::FactorType::Integer, .low = 32, .high = 256},
        {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16"}}};
    study.design.type = "i-optimal";
    study.design.centerRuns = 0;
    EXPECT_GE(evaluate(layOut(study), "quadratic").dfPureError, 3);
    study.design.runs = 14;
    EXPECT_EQ(layOut(study).runs.size(), 14U);
    study::Study numeric = cube(2);
    numeric.design.type = "i-optimal";
    numeric.design.centerRuns = 3; // which repeat each other
    EXPECT_EQ(layOut(numeric).runs.size(), 6U + 5U + 3U);
}

TEST(Optimal, IsTheSameForASeed)
{
    study::Study study = cube(3);
    study.design.type = "d-optimal";
    EXPECT_EQ(layOut(study).runs, layOut(study).runs);
}

TEST(Optimal, KeepsTheBestDesignSoFarWhenItIsStopped)
{
    std::stop_source stop;
    double last = 0.0;
    const Progress progress{.done = [&](double done) {
        EXPECT_GE(done, last);
        last = done;
        if (done > 0.2)
            stop.request_stop();
    }};
    const OptimalDesign stopped = optimalDesign(cube(3), {}, stop.get_token(), progress);
    EXPECT_TRUE(stopped.isStopped);
    EXPECT_EQ(stopped.points.size(), std::size_t(15));
    EXPECT_LT(stopped.starts, 60);
    const OptimalDesign whole = optimalDesign(cube(3), {});
    EXPECT_FALSE(whole.isStopped);
    EXPECT_GT(stopped.value, 0.9 * whole.value);
    EXPECT_LE(stopped.value, whole.value);
    EXPECT_THROW(optimalDesign(cube(3), {}, stop.get_token()), Stopped) << "before there is any";
    last = 0.0;
    (void)optimalDesign(cube(2), {}, {}, {.done = [&](double done) { last = done; }});
    EXPECT_EQ(last, 1.0);
}

/// Levels that can be set: on a linear scale digits of the range, on a logarithmic one of the value.
TEST(RoundedLevels, AreThoseThatOneCanSet)
{
    const auto around = [](const study::Factor& factor, double actual, int digits) {
        const study::Range range = findSettable(factor, actual, digits);
        return std::pair(range.low, range.high);
    };
    const study::Factor temperature{.name = "t", .low = 1000.0, .high = 1090.0};
    EXPECT_EQ(around(temperature, 1043.7, 2), std::pair(1043.0, 1044.0));
    EXPECT_EQ(around(temperature, 1043.7, 1), std::pair(1040.0, 1050.0));
    EXPECT_EQ(around(temperature, 1000.0, 2), std::pair(1000.0, 1000.0));
    const study::Factor rate{.name = "lr", .low = 0.0009765625, .high = 0.1, .scale = study::Scale::Log2};
    EXPECT_EQ(around(rate, 0.00638263, 2), std::pair(0.0063, 0.0064));
    EXPECT_EQ(around(rate, 0.0064, 2), std::pair(0.0064, 0.0064));
    EXPECT_EQ(around(rate, 0.00098, 1), std::pair(0.0009765625, 0.001)) << "not beyond the range";
}

/// The level of the first factor with most digits, "0064": ends of its range aside.
std::string longestLevel(const study::Study& study)
{
    const study::Factor& factor = study.factors.front();
    std::string longest;
    for (const study::Run& run : study.runs) {
        const double level = study::numberOf(run.settings.at(factor.name));
        std::string text = study::toText(level);
        std::erase_if(text, [](char c) { return c == '.' || c == '-'; });
        text.erase(0, text.find_first_not_of('0'));
        if (level != factor.low && level != factor.high && text.size() > longest.size())
            longest = text;
    }
    return longest;
}

/// Brute force: the efficiency of the rounded runs against that of the same search without rounding.
TEST(RoundedLevels, CostWhatIsSaid)
{
    study::Study study = cube(2);
    study.factors[0] = {.name = "lr", .low = 0.0009765625, .high = 0.1, .scale = study::Scale::Log2};
    study.design.centerRuns = 0; // they stay at the center
    study.design.runs = 11;      // as many as without replicates, which are not part of the search
    study.constraints = {"lr * (b + 2) < 0.17"};
    study.design.type = "d-optimal";
    const auto laidOut = [&](std::optional<int> digits, SearchReport& report) {
        study.design.digits = digits;
        return layOut(study, true, {}, {.found = [&](const SearchReport& found) { report = found; }});
    };
    SearchReport exact, automatic, coarse;
    const double before = evaluate(laidOut(0, exact)).dEfficiency;
    EXPECT_EQ(exact.digits, 0);
    const study::Study rounded = laidOut(std::nullopt, automatic);
    EXPECT_LT(automatic.roundingLoss, 0.01);
    EXPECT_GE(automatic.digits, 2);
    EXPECT_LE(longestLevel(rounded).size(), static_cast<std::size_t>(automatic.digits))
        << longestLevel(rounded);
    EXPECT_NEAR(evaluate(rounded).dEfficiency, before * (1.0 - automatic.roundingLoss), 1e-6 * before);
    const study::Study one = laidOut(1, coarse);
    EXPECT_EQ(coarse.digits, 1);
    EXPECT_NEAR(evaluate(one).dEfficiency, before * (1.0 - coarse.roundingLoss), 1e-6 * before);
    for (const study::Study& each : {rounded, one})
        for (const study::Run& run : each.runs)
            EXPECT_TRUE(study::isLegal(each, run.settings));
}

TEST(Optimal, SaysWhatIsMissing)
{
    const auto messageOf = [](const study::Study& study, const OptimalRequest& request) -> std::string {
        try {
            (void)optimalDesign(study, request);
        } catch (const DesignError& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_THAT(messageOf(cube(2), {.runs = 5}), testing::HasSubstr("at least 6 runs"));
    EXPECT_THAT(messageOf(cube(2), {.model = "nonsense"}), testing::HasSubstr("nonsense"));
    study::Study study = cube(2);
    study.constraints = {"a > 2"};
    EXPECT_THAT(messageOf(study, {}), testing::HasSubstr("satisfies the constraints"));
    study.constraints = {"a == 1"};
    EXPECT_THAT(messageOf(study, {}), testing::HasSubstr("model 'quadratic'"));
}

study::Study withResults(study::Study study)
{
    for (study::Run& run : study.runs) {
        run.status = study::RunStatus::Done;
        run.results = {{"y", 1.0}};
    }
    return study;
}

/// Three of the four corners are there: the fourth is the best addition, whatever the order.
TEST(AdditionalRuns, KeepEveryRunAndAddTheBest)
{
    const study::Study study = withResults(codedStudy({{-1, -1}, {1, -1}, {-1, 1}}));
    const study::Study longer = optimalAdditionalRuns(study, {.count = 1, .model = "linear"});
    ASSERT_EQ(longer.runs.size(), 4U);
    EXPECT_TRUE(std::equal(study.runs.begin(), study.runs.end(), longer.runs.begin()));
    const study::Run& added = longer.runs.back();
    EXPECT_EQ(added.settings, (study::Settings{{"a", 1.0}, {"b", 1.0}}));
    EXPECT_EQ(added.kind, study::RunKind::Augment);
    EXPECT_EQ(added.status, study::RunStatus::Pending);
    EXPECT_EQ(added.id, 4);
    EXPECT_EQ(added.order, 4);
}

/// A factorial gets what a quadratic needs; in a block of its own it needs one run more.
TEST(AdditionalRuns, MakeALargerModelPossible)
{
    const study::Study study = withResults(codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {0, 0}, {0, 0}}));
    const study::Study longer =
        optimalAdditionalRuns(study, {.count = 4, .criterion = Criterion::I, .model = "quadratic"});
    EXPECT_EQ(evaluate(longer, "quadratic").dfModel, 5);
    const study::Study blocked =
        optimalAdditionalRuns(study, {.count = 4, .model = "quadratic", .inNewBlock = true});
    EXPECT_EQ(blocked.runs.back().block, 2);
    EXPECT_EQ(evaluate(blocked, "quadratic").dfBlocks, 1);
    EXPECT_EQ(evaluate(blocked, "quadratic").dfModel, 5);
}

/// Runs that a retry may mend tell nothing: their settings are worth running again. Those that failed for a
/// reason that repeats are not.
TEST(AdditionalRuns, DoNotCountFailedOnes)
{
    study::Study study = withResults(codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}));
    study.runs[3].status = study::RunStatus::Failed;
    study.runs[3].failure = study::Failure{.kind = "cancelled"};
    const AdditionalRuns one{.count = 1, .model = "linear"};
    EXPECT_EQ(optimalAdditionalRuns(study, one).runs.back().settings, study.runs[3].settings);
    study.runs[3].failure->kind = "out-of-memory";
    EXPECT_NE(optimalAdditionalRuns(study, one).runs.back().settings, study.runs[3].settings);
}

} // namespace
} // namespace quadric::design
