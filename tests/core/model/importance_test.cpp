// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/fit/effects.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/curves.h"
#include "core/model/predict/factor_effects.h"
#include "core/model/predict/predict.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model::test {
namespace {

/// Gauss–Legendre nodes on [−1, 1], exact to degree 9 (Abramowitz & Stegun 25.4.30), weights summing to 1.
const std::vector<std::pair<double, double>> kNodes{{-0.906179845938664, 0.118463442528095},
                                                    {-0.538469310105683, 0.239314335249683},
                                                    {0.0, 0.284444444444444},
                                                    {0.538469310105683, 0.239314335249683},
                                                    {0.906179845938664, 0.118463442528095}};

std::vector<std::pair<double, double>> nodesOf(const study::Factor& factor)
{
    if (factor.isNumeric())
        return kNodes;
    std::vector<std::pair<double, double>> nodes;
    for (std::size_t i = 0; i < factor.categories.size(); ++i)
        nodes.emplace_back(static_cast<double>(i), 1.0 / static_cast<double>(factor.categories.size()));
    return nodes;
}

/// Mean of the fitted response over the factors that are not fixed, by quadrature.
double meanOver(const Fit& fit, study::CodedPoint& point, const std::vector<bool>& fixed,
                std::size_t factor = 0)
{
    if (factor == fit.factors.size())
        return predictMean(fit, point);
    if (fixed[factor])
        return meanOver(fit, point, fixed, factor + 1);
    double mean = 0.0;
    for (const auto& [x, weight] : nodesOf(fit.factors[factor])) {
        point[static_cast<Eigen::Index>(factor)] = x;
        mean += weight * meanOver(fit, point, fixed, factor + 1);
    }
    return mean;
}

/// Variance, over the factors in `of`, of the mean over all others.
double varianceOfMean(const Fit& fit, const std::vector<bool>& of)
{
    double first = 0.0, second = 0.0;
    std::vector<std::pair<std::vector<double>, double>> nodes{{{}, 1.0}};
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        std::vector<std::pair<std::vector<double>, double>> expanded;
        for (const auto& [x, weight] : nodes) {
            for (const auto& [value, w] :
                 of[i] ? nodesOf(fit.factors[i]) : std::vector<std::pair<double, double>>{{0.0, 1.0}}) {
                expanded.emplace_back(x, weight * w);
                expanded.back().first.push_back(value);
            }
        }
        nodes = std::move(expanded);
    }
    for (const auto& [x, weight] : nodes) {
        study::CodedPoint point(
            Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
        const double mean = meanOver(fit, point, of);
        first += weight * mean;
        second += weight * mean * mean;
    }
    return second - first * first;
}

/// A wiggly response over two numeric factors and one categorical, fitted with a cubic formula.
Fit wigglyFit()
{
    study::Study study = plainStudy({"A", "B", "precision"});
    study.factors[2].type = study::FactorType::Categorical;
    study.factors[2].categories = {"fp32", "bf16", "fp8"};
    for (const std::vector<study::Value>& point : gridOf(2, {-1, -0.3, 0.4, 1})) {
        for (const std::string level : {"fp32", "bf16", "fp8"}) {
            const double a = std::get<double>(point[0]);
            const double b = std::get<double>(point[1]);
            const double step = static_cast<double>(level.size());
            addRun(study, {a, b, level},
                   std::exp(a) * (2 + b) + step * b + std::sin(3 * a * b) + (level == "fp8" ? 2 * a : 0.3));
        }
    }
    return fitResponse(study, "y", {.model = "A^3 + A*B*precision + A^2*B + B^2"});
}

} // namespace

TEST(Importance, agreesWithQuadrature)
{
    const Fit fit = wigglyFit();
    ASSERT_TRUE(fit.isOk()) << fit.message;
    const double whole = varianceOfMean(fit, {true, true, true});
    for (std::size_t i = 0; i < 3; ++i) {
        std::vector<bool> only(3, false), others(3, true);
        only[i] = true;
        others[i] = false;
        EXPECT_NEAR(fit.importance[i].main, varianceOfMean(fit, only) / whole, 1e-12)
            << fit.importance[i].factor;
        EXPECT_NEAR(fit.importance[i].total, 1 - varianceOfMean(fit, others) / whole, 1e-12)
            << fit.importance[i].factor;
    }
}

TEST(Importance, additiveModelHasNoInteractions)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, 3 * std::get<double>(point[0]) + 4 * std::get<double>(point[1]));
    const Fit fit = fitResponse(study, "y");
    EXPECT_NEAR(fit.importance[0].main, 9.0 / 25, 1e-12);
    EXPECT_NEAR(fit.importance[0].total, 9.0 / 25, 1e-12);
    EXPECT_NEAR(fit.importance[1].main, 16.0 / 25, 1e-12);
}

namespace {

/// The twelve edges of a Box–Behnken design and three center runs.
study::Study boxBehnken(double (*truth)(double, double, double))
{
    study::Study study = plainStudy({"A", "B", "C"});
    for (const std::vector<study::Value>& point : gridOf(3, {-1, 0, 1})) {
        const double a = std::get<double>(point[0]), b = std::get<double>(point[1]),
                     c = std::get<double>(point[2]);
        const double size = std::abs(a) + std::abs(b) + std::abs(c);
        for (int i = 0; i < (size == 2 ? 1 : size == 0 ? 3 : 0); ++i)
            addRun(study, point,
                   truth(a, b, c) + 0.1 * std::sin(7.0 * static_cast<double>(study.runs.size())));
    }
    return study;
}

double oneInteraction(double a, double b, double)
{
    return 20 + 3 * a - 2 * b + 1.5 * a * b;
}

} // namespace

// R 4.2: p.adjust(c(0.01, NA, 0.04, 0.03, 0.005, 0.6), "holm", n = 5)
TEST(EffectRanking, holmAgreesWithR)
{
    const std::vector<std::optional<double>> adjusted =
        adjustByHolm({0.01, std::nullopt, 0.04, 0.03, 0.005, 0.6});
    const std::vector<double> expected{0.04, -1, 0.09, 0.09, 0.025, 0.6};
    ASSERT_EQ(adjusted.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (i == 1)
            EXPECT_FALSE(adjusted[i].has_value());
        else
            EXPECT_NEAR(adjusted[i].value(), expected[i], 1e-15) << i;
    }
}

// R 4.2: 1 - pf(qf(0.95, df1, df2), df1, df2, ncp = 4 * df1)
TEST(EffectRanking, powerOfATestAgreesWithR)
{
    EXPECT_NEAR(computeTestPower(3, 2, 12), 0.2235307, 1e-7);
    EXPECT_NEAR(computeTestPower(5, 5, 20), 0.5419582, 1e-7);
    EXPECT_NEAR(computeTestPower(10, 4, 40), 0.4874582, 1e-7);
    EXPECT_EQ(computeTestPower(3, 3, 1e9), 1.0);
}

/// One order, one limit and one verdict in both plots; the squares of this design have other errors than the
/// rest.
TEST(EffectRanking, halfNormalPlotIsTheParetoChart)
{
    const Fit fit = fitResponse(boxBehnken(oneInteraction), "y", {.model = "quadratic"});
    const HalfNormalPlot plot = halfNormalPlot(fit);
    const std::vector<RankedEffect> ranked = rankEffects(fit);
    EXPECT_TRUE(plot.isStandardized);
    EXPECT_EQ(plot.marginOfError, fit.effectLimit.value);
    EXPECT_EQ(plot.simultaneous, fit.effectLimit.bonferroni);
    ASSERT_EQ(plot.points.size(), ranked.size());
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        const Effect& effect = fit.effects[ranked[i].index];
        const ScorePoint& point = plot.points[ranked.size() - 1 - i];
        EXPECT_EQ(point.label, effect.term);
        EXPECT_EQ(point.value, effect.standardized.value());
        EXPECT_EQ(point.isActive, effect.p.value() < 0.05) << effect.term;
    }
}

/// Without an error estimate terms of different variance are compared after orthogonalization.
TEST(EffectRanking, lenthComparesTermsOfEqualVariance)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point,
               10 + 2 * std::get<double>(point[0]) +
                   0.3 * std::sin(5.0 * static_cast<double>(study.runs.size())));
    const Fit fit = fitResponse(study, "y", {.model = "A^2*B^2"});
    ASSERT_EQ(fit.dfResidual, 0);
    ASSERT_EQ(fit.effectLimit.method, "lenth");
    const Eigen::VectorXd& sequential = fit.data->regression.solution.sequential;
    double total = 0.0;
    for (const RankedEffect& effect : rankEffects(fit))
        total += effect.size * effect.size * 9 / 4;
    EXPECT_NEAR(total, sequential.sum(), 1e-9 * total); // the squares add up to all variation
    EXPECT_EQ(fit.effects[rankEffects(fit).front().index].term, "A");
}

namespace {

std::string allTermsOf(const nlohmann::json& effects, const nlohmann::json& oracle)
{
    std::string formula;
    for (const auto& [name, effect] : effects.items())
        formula += (formula.empty() ? "" : " + ") + ourTerm(name, oracle);
    return formula;
}

} // namespace

TEST(Lenth, unreplicatedFactorialHasEffectsAndLimits)
{
    const nlohmann::json oracle = readOracle("07_filtration_2p4_lenth");
    const nlohmann::json expected = oracle["analyses"][0]["expected"];
    const Fit fit =
        fitResponse(studyOf(oracle), "filtration", {.model = allTermsOf(expected["effects"], oracle)});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_EQ(fit.dfResidual, 0);
    EXPECT_EQ(fit.effectLimit.method, "lenth");
    EXPECT_NEAR(fit.effectLimit.value, expected["me"].get<double>(), 1e-7);
    EXPECT_NEAR(fit.effectLimit.sme.value(), expected["sme"].get<double>(), 1e-7);
    EXPECT_NEAR(fit.effectLimit.pse.value(), expected["pse"].get<double>(), 1e-9);
    ASSERT_EQ(fit.effects.size(), expected["effects"].size());
    for (const auto& [name, effect] : expected["effects"].items()) {
        const AnovaRow& row = rowOf(fit.termRows, ourTerm(name, oracle));
        EXPECT_NEAR(row.ss, expected["sum_of_squares"][name].get<double>(), 1e-8) << name;
        EXPECT_NEAR(row.contribution.value(), expected["percent_contribution"][name].get<double>(), 1e-9)
            << name;
        EXPECT_FALSE(row.f.has_value());
        EXPECT_NEAR(2 * coefficientOf(fit, ourTerm(name, oracle)).estimate, effect.get<double>(), 1e-9)
            << name;
    }
}

TEST(Effects, matchThePublishedTableOfThePaper)
{
    const nlohmann::json oracle = readOracle("06_paper_2p5_full_3rep");
    const nlohmann::json printed = oracle["printed_in_paper"];
    const Fit fit =
        fitResponse(studyOf(oracle), "duration", {.model = modelOf(oracle["analyses"][0], oracle)});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    for (const Effect& effect : fit.effects) {
        std::string letters;
        for (const nlohmann::json& factor : oracle["factors"]) {
            if (effect.term.find(factor["name"].get<std::string>()) != std::string::npos)
                letters += factor["symbol"].get<std::string>();
        }
        const nlohmann::json row = printed["effects_fig20"][letters];
        EXPECT_NEAR(effect.effect, row["effect"].get<double>(), 0.0051) << effect.term;
        EXPECT_NEAR(effect.standardized.value(), row["abs_t"].get<double>(), 0.0051) << effect.term;
    }
    const nlohmann::json anova = printed["anova_fig21"];
    EXPECT_NEAR(rowOf(fit.anova, "Linear").f.value(), anova["linear_f"].get<double>(), 0.0051);
    EXPECT_NEAR(rowOf(fit.anova, "Interactions").f.value(), anova["two_way_f"].get<double>(), 0.0051);
    EXPECT_NEAR(rowOf(fit.anova, "3-factor interactions").f.value(), anova["three_way_f"].get<double>(),
                0.0051);
    EXPECT_NEAR(rowOf(fit.anova, "4-factor interactions").f.value(), anova["four_way_f"].get<double>(),
                0.0051);
    EXPECT_NEAR(rowOf(fit.anova, "5-factor interactions").f.value(), anova["five_way_f"].get<double>(),
                0.0051);
}

TEST(Effects, limitIsTheQuantileWithBonferroniBesideIt)
{
    const nlohmann::json oracle = readOracle("06_paper_2p5_full_3rep");
    for (const nlohmann::json& analysis : oracle["analyses"]) {
        const Fit fit = fitResponse(studyOf(oracle), "duration", {.model = modelOf(analysis, oracle)});
        EXPECT_EQ(fit.effectLimit.method, "t");
        EXPECT_NEAR(fit.effectLimit.value, analysis["expected"]["t_critical_0.05"].get<double>(), 1e-9);
        EXPECT_GT(fit.effectLimit.bonferroni.value(), fit.effectLimit.value);
    }
}

} // namespace quadric::model::test
