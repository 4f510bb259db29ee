// SPDX-License-Identifier: GPL-3.0-or-later
// How often the verdict on a fit is true: held against how well new runs are really predicted, where the
// truth is known.
#include "core/model/predict/predict.h"
#include "core/report/findings/fit_findings.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <random>

namespace quadric::report {
namespace {

using namespace model::test;

/// A quadratic polynomial in three coded factors: intercept, slopes, interactions, squares.
using Surface = std::array<double, 10>;

double valueAt(const Surface& b, const std::array<double, 3>& x)
{
    return b[0] + b[1] * x[0] + b[2] * x[1] + b[3] * x[2] + b[4] * x[0] * x[1] + b[5] * x[0] * x[2] +
           b[6] * x[1] * x[2] + b[7] * x[0] * x[0] + b[8] * x[1] * x[1] + b[9] * x[2] * x[2];
}

/// Box–Behnken's twelve edges and three center runs.
std::vector<std::array<double, 3>> boxBehnken()
{
    std::vector<std::array<double, 3>> points(3, {0, 0, 0});
    for (std::size_t held = 0; held < 3; ++held)
        for (const double first : {-1.0, 1.0})
            for (const double second : {-1.0, 1.0}) {
                auto& point = points.emplace_back(std::array<double, 3>{0, 0, 0});
                point[(held + 1) % 3] = first;
                point[(held + 2) % 3] = second;
            }
    return points;
}

/// 1 − (squared error of prediction of a new run) / (variance of new runs), over the runs' edges and centers:
/// where the design has its runs, without extrapolation.
double realPredictiveR2(const model::Fit& fit, const Surface& truth, double noise)
{
    const std::vector<std::array<double, 3>> points = boxBehnken();
    double mean = 0.0, error = 0.0, variance = 0.0;
    for (const auto& x : points)
        mean += valueAt(truth, x) / static_cast<double>(points.size());
    for (const auto& x : points) {
        const double predicted =
            model::predictMean(fit, study::CodedPoint(Eigen::Vector3d(x[0], x[1], x[2])));
        error += std::pow(predicted - valueAt(truth, x), 2) + noise * noise;
        variance += std::pow(valueAt(truth, x) - mean, 2) + noise * noise;
    }
    return 1.0 - error / variance;
}

/// How often fits with one verdict are that good.
struct Record {
    int fits = 0, atLeastHalf = 0, atLeastGood = 0;
    double half() const { return double(atLeastHalf) / fits; }
    double good() const { return double(atLeastGood) / fits; }
};

} // namespace

TEST(VerdictTruth, goodModelsPredictAndPoorOnesAreSeldomGood)
{
    std::mt19937 random(2026);
    std::normal_distribution<double> normal;
    std::map<std::string_view, Record> records;
    for (int round = 0; round < 2000; ++round) {
        Surface truth{};
        for (std::size_t i = 1; i < truth.size(); ++i)
            truth[i] = (i < 4 ? 1.0 : 0.5) * normal(random);
        const double noise = 0.1 * (1 + round % 20);
        study::Study study = plainStudy({"A", "B", "C"});
        for (const auto& x : boxBehnken())
            addRun(study, {x[0], x[1], x[2]}, valueAt(truth, x) + noise * normal(random));
        const model::Fit fit = model::fitResponse(study, "y");
        ASSERT_TRUE(fit.isOk());
        const double real = realPredictiveR2(fit, truth, noise);
        Record& record = records[nameOf(judgeFit(fit))];
        ++record.fits;
        record.atLeastHalf += real >= 0.5 ? 1 : 0;
        record.atLeastGood += real >= 0.8 ? 1 : 0;
    }
    for (const auto& [name, record] : records) // the table of docs/methods/residuals.md: --gtest_output=xml
        RecordProperty(std::string(name), std::to_string(record.fits) + " " + std::to_string(record.half()) +
                                              " " + std::to_string(record.good()));
    ASSERT_TRUE(records["good"].fits > 200 && records["fair"].fits > 200 && records["poor"].fits > 200);
    EXPECT_GE(records["good"].half(), 0.94);
    EXPECT_GE(records["good"].good(), 0.8);
    EXPECT_LE(records["poor"].half(), 0.25);
    EXPECT_LE(records["poor"].good(), 0.06);
    EXPECT_LT(records["fair"].good(), records["good"].good());
    EXPECT_GT(records["fair"].good(), records["poor"].good());
}

} // namespace quadric::report
