// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/evaluator.h"

#include "core/model/predict/predict.h"
#include "fixtures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quadric::optimize {
namespace {

/// Two numeric factors and a categorical one of three levels, four responses of different transforms, the one
/// without a transform between physical bounds.
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
    fitted.fits[0].bounds = study::Bounds{2.0, 4.0};
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

} // namespace
} // namespace quadric::optimize
