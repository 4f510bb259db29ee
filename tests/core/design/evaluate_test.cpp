// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design.h"
#include "core/design/base/information.h"
#include "core/design/optimal/optimal.h"
#include "design_fixture.h"

#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

namespace quadric::design {
namespace {

const std::vector<std::vector<double>> kCube = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                                {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

study::Study studyOf(const nlohmann::json& reference)
{
    study::Study study;
    for (std::size_t i = 0; i < reference.at("factors").size(); ++i) {
        study::Factor factor;
        factor.name = "x" + std::to_string(i + 1);
        factor.low = -1.0;
        study.factors.push_back(factor);
    }
    for (const auto& row : reference.at("design").at("coded")) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        for (std::size_t i = 0; i < study.factors.size(); ++i)
            run.settings[study.factors[i].name] = row.at(i).get<double>();
        study.runs.push_back(run);
    }
    return study;
}

study::Study boxBehnkenStudy(int factors)
{
    study::Study study = cube(factors);
    study.design.type = "box-behnken";
    return layOut(study);
}

double powerOf(const Evaluation& evaluation, const std::string& term)
{
    for (const PowerRow& row : evaluation.power) {
        if (row.term == term)
            return row.power;
    }
    ADD_FAILURE() << "no power of " << term;
    return 0.0;
}

const Check& checkOf(const Evaluation& evaluation, const std::string& name)
{
    const auto found = std::find_if(evaluation.checks.begin(), evaluation.checks.end(),
                                    [&](const Check& check) { return check.name == name; });
    EXPECT_NE(found, evaluation.checks.end()) << name;
    return *found;
}

/// Φ by the complementary error function.
double normal(double z)
{
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// Power of a two-sided t test with noncentrality δ, by integrating over the chi distribution of s/σ: an
/// independent way to the noncentral F.
double powerByIntegration(double delta, double df, double critical)
{
    const double logConstant = std::log(2.0) + 0.5 * df * std::log(0.5 * df) - std::lgamma(0.5 * df);
    const int steps = 20000;
    double sum = 0.0;
    for (int i = 1; i < steps; ++i) {
        const double s = 8.0 * i / steps;
        const double density = std::exp(logConstant + (df - 1.0) * std::log(s) - 0.5 * df * s * s);
        sum += density * (1.0 - normal(critical * s - delta) + normal(-critical * s - delta)) * 8.0 / steps;
    }
    return sum;
}

/// Power of the 5 % test with 2 and 8 degrees of freedom: the noncentral F as a Poisson mixture of beta
/// distributions, whose distribution function is a binomial sum for whole parameters. The critical value
/// follows from P(F > f) = (1 + f/4)^−4.
double powerByMixture(double noncentrality)
{
    const double ratio = std::pow(0.05, -0.25) - 1.0; // of the sums of squares
    const double x = ratio / (1.0 + ratio);
    double power = 0.0;
    double poisson = std::exp(-noncentrality / 2.0);
    for (int j = 0; j < 200; poisson *= noncentrality / 2.0 / ++j) {
        double below = 0.0;
        for (int i = 1 + j; i <= 4 + j; ++i)
            below += std::exp(std::lgamma(5.0 + j) - std::lgamma(i + 1.0) - std::lgamma(5.0 + j - i) +
                              i * std::log(x) + (4.0 + j - i) * std::log1p(-x));
        power += poisson * (1.0 - below);
    }
    return power;
}

TEST(Evaluate, LeavesOutRunsThatNoModelIsFittedTo)
{
    study::Study study = boxBehnkenStudy(3);
    const Evaluation before = evaluate(study);
    study = study::withRuns(study, {study.runs.front().settings, study.runs.front().settings},
                            study::RunKind::Confirmation);
    const Evaluation after = evaluate(study);
    EXPECT_EQ(after.runs, before.runs);
    EXPECT_EQ(after.dfPureError, before.dfPureError);
    EXPECT_THAT(after.runsLeftOut, testing::IsEmpty()) << "they are neither failed nor excluded";
}

TEST(Evaluate, TrebuchetFollowsTheReference)
{
    const auto file = test::reference("oracles/04_trebuchet_bbd3.json");
    const auto& expected = file.at("analyses").at(0).at("expected");
    const auto& metrics = expected.at("design_metrics");
    const Evaluation evaluation = evaluate(studyOf(file));
    EXPECT_EQ(evaluation.runs, 15);
    EXPECT_EQ(evaluation.dfModel, 9);
    EXPECT_EQ(evaluation.dfPureError, 2);
    EXPECT_EQ(evaluation.dfLackOfFit, 3);
    EXPECT_NEAR(evaluation.dEfficiency, 100.0 * metrics.at("d_efficiency").get<double>(), 1e-7);
    EXPECT_NEAR(evaluation.aEfficiency, 100.0 * 10.0 / (15.0 * metrics.at("a_trace_inv").get<double>()),
                1e-7);
    EXPECT_NEAR(evaluation.condition, metrics.at("condition_number_2").get<double>(), 1e-7);
    EXPECT_NEAR(evaluation.maxLeverage, metrics.at("max_leverage").get<double>(), 1e-9);
    for (const auto& [term, vif] : evaluation.vif) {
        std::string name = term;
        std::replace(name.begin(), name.end(), '*', ':');
        EXPECT_NEAR(vif, expected.at("coefficients").at(name).at("vif").get<double>(), 1e-7) << term;
    }
}

TEST(Evaluate, CompositeDesignFollowsTheReference)
{
    const auto file = test::reference("oracles/05_tire_tread_derringer_suich.json");
    const auto& metrics = file.at("analyses").at(0).at("expected").at("design_metrics");
    const Evaluation evaluation = evaluate(studyOf(file));
    EXPECT_NEAR(evaluation.dEfficiency, 100.0 * metrics.at("d_efficiency").get<double>(), 1e-7);
    EXPECT_NEAR(evaluation.condition, metrics.at("condition_number_2").get<double>(), 1e-7);
    EXPECT_NEAR(evaluation.maxLeverage, metrics.at("max_leverage").get<double>(), 1e-9);
}

/// 2^3 with the linear model: X'X = 8 I. D = A = G = 100 %, I = (1 + 3/3)/8, leverages 1/2, all VIF 1.
TEST(Evaluate, FactorialInClosedForm)
{
    const Evaluation evaluation = evaluate(codedStudy(kCube), "linear");
    EXPECT_NEAR(evaluation.dEfficiency, 100.0, 1e-9);
    EXPECT_NEAR(evaluation.aEfficiency, 100.0, 1e-9);
    EXPECT_NEAR(evaluation.gEfficiency, 100.0, 1e-9);
    EXPECT_NEAR(evaluation.iValue, 0.25, 1e-12);
    EXPECT_NEAR(evaluation.condition, 1.0, 1e-12);
    EXPECT_NEAR(evaluation.maxLeverage, 0.5, 1e-12);
    // Effect 2σ: coefficient σ, its standard error σ/√8, so δ = √8 with 4 degrees of freedom; t(0.975, 4)
    // = 2.7764.
    EXPECT_NEAR(powerOf(evaluation, "a"), powerByIntegration(std::sqrt(8.0), 4.0, 2.7764451052), 1e-5);
}

/// Box-Behnken, 3 factors, 3 center runs: X'X of linear terms 8 I, of interactions 4 I; variance of a square
/// coefficient 13/48. t(0.975, 5) = 2.5706.
TEST(Evaluate, PowerIsThatOfTheNoncentralT)
{
    const Evaluation evaluation = evaluate(boxBehnkenStudy(3));
    const double critical = 2.5705818366;
    EXPECT_NEAR(powerOf(evaluation, "a"), powerByIntegration(std::sqrt(8.0), 5.0, critical), 1e-5);
    EXPECT_NEAR(powerOf(evaluation, "a*b"), powerByIntegration(2.0, 5.0, critical), 1e-5);
    EXPECT_NEAR(powerOf(evaluation, "a^2"), powerByIntegration(2.0 / std::sqrt(13.0 / 48.0), 5.0, critical),
                1e-5);
}

/// The average variance over the cube against a fine midpoint rule; G against a finer grid.
TEST(Evaluate, AverageAndLargestVariance)
{
    const study::Study study = boxBehnkenStudy(3);
    const Evaluation evaluation = evaluate(study);
    Eigen::MatrixXd x(15, 10);
    const auto row = [](double a, double b, double c) {
        Eigen::RowVectorXd columns(10);
        columns << 1.0, a, b, c, a * b, a * c, b * c, a * a, b * b, c * c;
        return columns;
    };
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const auto value = [&](const char* name) { return study::numberOf(study.runs[i].settings.at(name)); };
        x.row(static_cast<Eigen::Index>(i)) = row(value("a"), value("b"), value("c"));
    }
    const Eigen::MatrixXd covariance = (x.transpose() * x).inverse();
    const int cells = 40;
    double average = 0.0;
    const auto middle = [&](int i) { return (2.0 * i + 1.0) / cells - 1.0; };
    for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j)
            for (int k = 0; k < cells; ++k) {
                const Eigen::RowVectorXd at = row(middle(i), middle(j), middle(k));
                average += (at * covariance * at.transpose()).value() / (cells * cells * cells);
            }
    EXPECT_NEAR(evaluation.iValue, average, 1e-3);
    const Eigen::RowVectorXd corner = row(1.0, 1.0, 1.0);
    EXPECT_NEAR(evaluation.gEfficiency,
                100.0 * 10.0 / (15.0 * (corner * covariance * corner.transpose()).value()), 1e-9);
}

TEST(Evaluate, PublishedDesignsPassTheirChecks)
{
    for (int factors = 3; factors <= 7; ++factors) {
        const Evaluation evaluation = evaluate(boxBehnkenStudy(factors));
        for (const Check& check : evaluation.checks)
            EXPECT_TRUE(check.ok) << factors << " factors: " << check.name << ": " << check.detail;
        EXPECT_THAT(evaluation.runsLeftOut, testing::IsEmpty());
        EXPECT_THAT(evaluation.termsLeftOut, testing::IsEmpty());
    }
}

TEST(Evaluate, BlocksTakeTheirDegreesOfFreedom)
{
    study::Study study = boxBehnkenStudy(4);
    study.design.blocks = 3;
    study.design.centerRuns = 6;
    study = layOut(study);
    const Evaluation evaluation = evaluate(study);
    EXPECT_EQ(evaluation.dfPureError, 3);
    EXPECT_EQ(evaluation.dfModel + evaluation.dfLackOfFit + evaluation.dfPureError, 30 - 1 - 2);
    EXPECT_TRUE(checkOf(evaluation, "Blocks are orthogonal to the model").ok);
}

TEST(Evaluate, SaysWhatIsWrong)
{
    study::Study study = boxBehnkenStudy(3);
    study.constraints = {"a + b < 1.5"};
    study.runs[0].status = study::RunStatus::Excluded;
    const Evaluation evaluation = evaluate(study);
    EXPECT_FALSE(checkOf(evaluation, "Run count").ok);
    EXPECT_FALSE(checkOf(evaluation, "Level balance").ok);
    EXPECT_THAT(checkOf(evaluation, "Every setting can be run").detail, testing::HasSubstr("Run 4"));
    EXPECT_THAT(evaluation.runsLeftOut, testing::ElementsAre(study.runs[0].id));
}

TEST(Evaluate, NamesAliasedTerms)
{
    study::Study study = boxBehnkenStudy(3);
    std::erase_if(study.runs,
                  [](const study::Run& run) { return study::numberOf(run.settings.at("c")) != 0.0; });
    const Evaluation evaluation = evaluate(study);
    EXPECT_FALSE(checkOf(evaluation, "Every term can be estimated").ok);
    EXPECT_THAT(evaluation.termsLeftOut, testing::Contains("a*c"));
    for (const auto& [term, vif] : evaluation.vif)
        EXPECT_TRUE(std::isfinite(vif)) << term;
}

TEST(Evaluate, RefusesWhatCannotBeJudged)
{
    study::Study study = boxBehnkenStudy(3);
    EXPECT_THROW(evaluate(study, "a + nonsense"), DesignError);
    study::Study same = study;
    same.runs.resize(1);
    EXPECT_THROW(evaluate(same), DesignError);
    study.runs[2].settings.erase("a");
    EXPECT_THROW(evaluate(study), DesignError);
    study.runs.clear();
    EXPECT_THROW(evaluate(study), DesignError);
}

TEST(Evaluate, CategoricalFactors)
{
    study::Study study;
    study.factors.resize(2);
    study.factors[0].name = "a";
    study.factors[0].low = -1.0;
    study.factors[1].name = "c";
    study.factors[1].type = study::FactorType::Categorical;
    study.factors[1].categories = {"x", "y", "z"};
    for (const char* level : {"x", "y", "z"})
        for (const double a : {-1.0, 1.0, -1.0, 1.0}) {
            study::Run run;
            run.id = run.order = static_cast<int>(study.runs.size()) + 1;
            run.settings = {{"a", a}, {"c", std::string(level)}};
            study.runs.push_back(run);
        }
    const Evaluation evaluation = evaluate(study, "linear");
    EXPECT_TRUE(checkOf(evaluation, "Level balance").ok);
    EXPECT_EQ(evaluation.dfModel, 3);
    // The prediction variance is 1/12 for the mean, a²/12 for a and 2/12 for the levels: average 1/12 (1 +
    // 1/3 + 2).
    EXPECT_NEAR(evaluation.iValue, (1.0 + 1.0 / 3.0 + 2.0) / 12.0, 1e-12);
    // Levels +σ, −σ, 0 with four runs each: noncentrality 8 with 2 and 8 degrees of freedom.
    EXPECT_NEAR(powerOf(evaluation, "c"), powerByMixture(8.0), 1e-9);
}

TEST(LargestModel, dependsOnWhatTheRunsTellApart)
{
    // Two levels know no squares; 8 runs leave 1 degree of freedom beside 3 + 3 effects.
    EXPECT_EQ(largestModel(codedStudy(kCube)), "interactions");
    // The half fraction I = ABC: each effect is an interaction too, and nothing is left for the error.
    EXPECT_EQ(largestModel(codedStudy({kCube[1], kCube[2], kCube[4], kCube[7]})), "linear");
    study::Study study = codedStudy(kCube);
    study.runs.clear();
    study.design = {.type = "box-behnken", .centerRuns = 3};
    EXPECT_EQ(largestModel(layOut(study)), "quadratic");
}

TEST(LargestModel, isWhatAnOptimalDesignWasMadeFor)
{
    study::Study study = codedStudy(kCube);
    study.design.model = "linear";
    EXPECT_EQ(largestModel(study), "interactions"); // left over from another type
    study.design.type = "d-optimal";
    EXPECT_EQ(largestModel(study), "linear");
}

std::size_t indexOf(const std::vector<std::string>& names, const std::string& name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<std::size_t>(found - names.begin());
}

double at(const NamedMatrix& matrix, const std::string& row, const std::string& column)
{
    return matrix.values(static_cast<Eigen::Index>(indexOf(matrix.rows, row)),
                         static_cast<Eigen::Index>(indexOf(matrix.columns, column)));
}

/// The designs of tests/references/designs/evaluation.R, judged by base R.
class FollowsR : public testing::TestWithParam<const char*> {
protected:
    FollowsR()
        : expected(test::reference("designs/evaluation.json").at(GetParam()))
        , study(codedStudy(expected.at("points").get<std::vector<std::vector<double>>>()))
        , terms(expected.at("terms").get<std::vector<std::string>>())
    {
        for (std::size_t i = 0; i < study.runs.size(); ++i)
            study.runs[i].block = expected.at("block").at(i);
    }
    nlohmann::json expected;
    study::Study study;
    std::vector<std::string> terms;
};

TEST_P(FollowsR, InEfficiencyAndLeverage)
{
    const Evaluation evaluation = evaluate(study);
    EXPECT_NEAR(evaluation.dEfficiency, expected.at("d_efficiency"), 1e-7);
    EXPECT_NEAR(evaluation.aEfficiency, expected.at("a_efficiency"), 1e-7);
    EXPECT_NEAR(evaluation.iValue, expected.at("i_value"), 1e-9);
    ASSERT_EQ(evaluation.leverage.size(), study.runs.size());
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        EXPECT_NEAR(evaluation.leverage[i].leverage, expected.at("leverage").at(i), 1e-9);
}

TEST_P(FollowsR, InPower)
{
    for (const double sd : {1.0, 2.0}) {
        const Evaluation evaluation = evaluate(study, "quadratic", {.effectSd = sd});
        const auto& power = expected.at(sd == 1.0 ? "power_1" : "power_2");
        ASSERT_EQ(evaluation.power.size(), power.size());
        for (const PowerRow& row : evaluation.power)
            EXPECT_NEAR(row.power, power.at(indexOf(terms, row.term) - 1), 1e-8) << row.term;
    }
}

TEST_P(FollowsR, InTheAliasMatrix)
{
    const NamedMatrix alias = evaluate(study).aliasMatrix;
    const auto further = expected.at("alias_terms").get<std::vector<std::string>>();
    for (std::size_t i = 0; i < terms.size(); ++i)
        for (std::size_t j = 0; j < further.size(); ++j)
            EXPECT_NEAR(at(alias, terms[i], further[j]), expected.at("alias").at(i).at(j), 1e-9)
                << terms[i] << " " << further[j];
}

TEST_P(FollowsR, InTheCorrelations)
{
    const NamedMatrix map = evaluate(study).correlation;
    for (std::size_t i = 1; i < terms.size(); ++i)
        for (std::size_t j = 1; j < terms.size(); ++j)
            EXPECT_NEAR(at(map, terms[i], terms[j]), expected.at("correlation").at(i - 1).at(j - 1), 1e-9);
}

/// R draws a million points, we 100,000 of our own: the standard error of a quantile is about 0.3 % here.
TEST_P(FollowsR, InTheFractionOfDesignSpace)
{
    const std::vector<FdsPoint> curve = evaluate(study).fds;
    for (std::size_t i = 0; i < expected.at("fds_fraction").size(); ++i) {
        const double fraction = expected.at("fds_fraction").at(i);
        const double se = expected.at("fds_se").at(i);
        EXPECT_NEAR(curve[static_cast<std::size_t>(std::lround(fraction * 100))].se, se, 0.01 * se);
    }
}

INSTANTIATE_TEST_SUITE_P(Designs, FollowsR,
                         testing::Values("box_behnken_3", "central_composite_2_blocks", "irregular_2"));

/// 2^(5−2) with D = AB, E = AC: I = ABD = ACE = BCDE, resolution III (tests/references/oracles/08).
TEST(EvaluationOfAFraction, NamesRelationResolutionAndChains)
{
    study::Study study = codedStudy({{0, 0, 0, 0, 0}});
    study.design.type = "fractional-factorial";
    study.design.generators = {"D=AB", "E=AC"};
    study.design.centerRuns = 0;
    const Evaluation evaluation = evaluate(layOut(study, true), "linear");
    EXPECT_EQ(evaluation.resolution, 3);
    EXPECT_EQ(evaluation.definingRelation, (std::vector<std::string>{"a*b*d", "a*c*e", "b*c*d*e"}));
    const std::vector<std::string> chain = {"a", "b*d", "c*e"};
    EXPECT_NE(std::find(evaluation.aliases.begin(), evaluation.aliases.end(), chain),
              evaluation.aliases.end());
}

/// At least 99 % of the best that many starts of an independent search in R found (optimal.R), which looks
/// at the levels −1, 0, 1 only.
TEST(OptimalReference, ReachesTheBestKnown)
{
    for (const auto& known : test::reference("designs/optimal.json")) {
        const int factors = known.at("factors");
        const study::Study study = cube(factors);
        const bool isD = known.at("criterion") == "D";
        OptimalRequest request;
        request.criterion = isD ? Criterion::D : Criterion::I;
        request.runs = known.at("runs");
        request.starts = 10;
        const double found = optimalDesign(study, request).value;
        const double best = known.at("best");
        EXPECT_GE(isD ? found / best : best / found, 0.99) << known;
    }
}

} // namespace
} // namespace quadric::design
