// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/importance_certainty.h"
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

/// y = 3A + 4B with a trace of noise: the intervals close in on 9/25 and 16/25.
TEST(Importance, intervalsCloseInOnTheSharesOfAnExactModel)
{
    study::Study study = plainStudy({"A", "B"});
    double noise = 1e-6;
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1})) {
        addRun(study, point, 3 * std::get<double>(point[0]) + 4 * std::get<double>(point[1]) + noise);
        noise = -1.1 * noise;
    }
    const ImportanceCertainty certainty = judgeImportance(fitResponse(study, "y", {.model = "linear"}));
    ASSERT_EQ(certainty.factors.size(), 2U);
    EXPECT_NEAR(certainty.factors[0].main.low, 9.0 / 25, 1e-5);
    EXPECT_NEAR(certainty.factors[0].main.high, 9.0 / 25, 1e-5);
    EXPECT_NEAR(certainty.factors[1].total.high, 16.0 / 25, 1e-5);
    EXPECT_FALSE(certainty.isNoise());
}

TEST(Importance, sharesOfNoiseAreSaidToBeNoise)
{
    study::Study study = plainStudy({"A", "B"});
    const std::vector<double> noise{0.3, -0.9, 0.8, -0.4, 0.1, 0.5, -0.7, 0.9, -0.6};
    std::size_t next = 0;
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, noise[next++]);
    const ImportanceCertainty certainty = judgeImportance(fitResponse(study, "y", {.model = "linear"}));
    EXPECT_TRUE(certainty.isNoise());
    EXPECT_EQ(certainty.factors[0].total.low, 0.0);
    EXPECT_EQ(certainty.factors[1].total.low, 0.0);
}

} // namespace quadric::model::test
