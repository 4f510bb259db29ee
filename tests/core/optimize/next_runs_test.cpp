// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/prediction_scale.h"
#include "core/optimize/next/next_runs.h"
#include "core/study/space/constraint.h"

#include "fixtures.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <random>

namespace quadric::optimize {
namespace {

/// Two factors with few legal values, one response: everything can be enumerated.
Fitted smallStudy()
{
    Fitted fitted;
    study::Study& study = fitted.study;
    for (const char* name : {"a", "b"}) {
        study::Factor factor;
        factor.name = name;
        factor.type = study::FactorType::Integer;
        factor.low = 0;
        factor.high = 8;
        study.factors.push_back(factor);
    }
    study::Response response;
    response.name = "y";
    response.low = 0.0;
    response.high = 60.0;
    study.responses = {response};
    std::mt19937_64 generator(5);
    std::normal_distribution<double> normal;
    for (const double a : {0.0, 4.0, 8.0})
        for (const double b : {0.0, 4.0, 8.0}) {
            study::Run run;
            run.id = run.order = static_cast<int>(study.runs.size()) + 1;
            run.status = study::RunStatus::Done;
            run.settings = {{"a", a}, {"b", b}};
            run.results = {{"y", 20.0 + 3.0 * a - 0.5 * (b - 5.0) * (b - 5.0) + 2.0 * normal(generator)}};
            study.runs.push_back(run);
        }
    fitted.fits = model::fitStudy(study);
    return fitted;
}

std::vector<Eigen::VectorXd> rowsOf(const model::Fit& fit, const std::vector<study::Settings>& settings)
{
    const study::Coding coding(fit.factors);
    std::vector<Eigen::VectorXd> rows;
    for (const study::Settings& setting : settings) {
        Eigen::VectorXd row(std::ssize(fit.columns));
        for (std::size_t j = 0; j < fit.columns.size(); ++j)
            row[static_cast<Eigen::Index>(j)] =
                model::valueAt(fit.columns[j], coding.toCoded(setting), fit.factors);
        rows.push_back(row);
    }
    return rows;
}

std::vector<study::Settings> everySetting()
{
    std::vector<study::Settings> all;
    for (double a = 0; a <= 8; ++a)
        for (double b = 0; b <= 8; ++b)
            all.push_back({{"a", a}, {"b", b}});
    return all;
}

/// The variance at the optimum after one more run, by inverting X'X + xx' anew for every legal setting.
TEST(NextRuns, TakeMostVarianceAtTheOptimum)
{
    const Fitted fitted = smallStudy();
    const model::Fit& fit = fitted.fits[0];
    const NextRuns next = nextRuns(fitted.study, fitted.fits, 1, RunCriterion::VarianceAtOptimum);
    ASSERT_TRUE(next.isOk()) << next.message;
    ASSERT_EQ(next.runs.size(), 1U);
    const study::Settings best = findOptimum(fitted.study, fitted.fits).settings;
    const Eigen::VectorXd at = rowsOf(fit, {best})[0];
    const double before = at.dot(fit.unscaledCovariance * at);
    double most = 0.0;
    for (const Eigen::VectorXd& row : rowsOf(fit, everySetting())) {
        const Eigen::MatrixXd after = (fit.unscaledCovariance.inverse() + row * row.transpose()).inverse();
        most = std::max(most, 1.0 - at.dot(after * at) / before);
    }
    EXPECT_NEAR(next.runs[0].gain, most, 1e-9);
}

/// Three runs one after the other lower the average variance, each by what it promises; the promises fall.
TEST(NextRuns, AverageVarianceFallsAsPromised)
{
    const Fitted fitted = smallStudy();
    const NextRuns next = nextRuns(fitted.study, fitted.fits, 3, RunCriterion::Variance);
    ASSERT_EQ(next.runs.size(), 3U);
    study::Study study = fitted.study;
    std::vector<model::Fit> fits = fitted.fits;
    const auto average = [&] {
        double sum = 0.0;
        for (const Eigen::VectorXd& row : rowsOf(fits[0], everySetting()))
            sum += row.dot(fits[0].unscaledCovariance * row) / 81.0;
        return sum;
    };
    double before = average();
    for (std::size_t i = 0; i < 3; ++i) {
        study = study::withRuns(study, {next.runs[i].settings}, study::RunKind::Augment);
        study.runs.back().status = study::RunStatus::Done;
        study.runs.back().results["y"] = 30.0 + 0.37 * static_cast<double>(i);
        fits = model::fitStudy(study);
        EXPECT_NEAR(1.0 - average() / before, next.runs[i].gain, 0.03) << "the average is over a sample";
        EXPECT_TRUE(i == 0 || next.runs[i].gain <= next.runs[i - 1].gain + 1e-9);
        before = average();
    }
}

/// E max(0, D(Y) − D*) at the proposed setting by plain Monte Carlo, and nowhere on the legal grid more.
TEST(NextRuns, ExpectedImprovementAgreesWithSimulation)
{
    const Fitted fitted = smallStudy();
    const model::Fit& fit = fitted.fits[0];
    const double best = findOptimum(fitted.study, fitted.fits).overall;
    const NextRuns next = nextRuns(fitted.study, fitted.fits, 1, RunCriterion::Improvement);
    ASSERT_EQ(next.runs.size(), 1U);
    const Desirability d = desirabilityOf(fitted.study.responses[0], fit);
    std::mt19937_64 generator(11);
    std::student_t_distribution<double> t(fit.dfResidual);
    std::vector<double> draws(20000);
    for (double& draw : draws)
        draw = t(generator);
    const auto simulated = [&](const study::Settings& settings) {
        const Eigen::VectorXd row = rowsOf(fit, {settings})[0];
        const double sd = fit.sigma * std::sqrt(row.dot(fit.unscaledCovariance * row));
        double sum = 0.0;
        for (const double draw : draws)
            sum += std::max(0.0, valueOf(d, row.dot(fit.beta) + sd * draw) - best);
        return sum / static_cast<double>(draws.size());
    };
    const double there = simulated(next.runs[0].settings);
    EXPECT_NEAR(next.runs[0].gain, there, 0.05 * there + 1e-4);
    for (const study::Settings& settings : everySetting())
        EXPECT_LE(simulated(settings), 1.08 * there + 1e-4);
}

TEST(NextRuns, AreLegalAndSpreadOut)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
    for (const RunCriterion criterion :
         {RunCriterion::Improvement, RunCriterion::Variance, RunCriterion::VarianceAtOptimum}) {
        const NextRuns next = nextRuns(fitted.study, fitted.fits, 4, criterion);
        ASSERT_TRUE(next.isOk()) << next.message;
        ASSERT_FALSE(next.runs.empty()) << nameOf(criterion);
        for (const NextRun& run : next.runs) {
            EXPECT_TRUE(study::isLegal(fitted.study, run.settings));
            for (const study::Factor& factor : fitted.study.factors) {
                const double value = study::numberOf(run.settings.at(factor.name));
                EXPECT_EQ(study::snapToLegal(factor, value), value);
            }
        }
        EXPECT_EQ(runCriterionFrom(nameOf(criterion)), criterion);
    }
}

TEST(NextRuns, SayWhatIsMissing)
{
    Fitted fitted = scalingStudy();
    for (model::Fit& fit : fitted.fits)
        fit.dfResidual = 0;
    const NextRuns next = nextRuns(fitted.study, fitted.fits, 2, RunCriterion::Improvement);
    EXPECT_EQ(next.status, OptimumStatus::NoModel);
    EXPECT_NE(next.message.find("degrees of freedom"), std::string::npos);
    EXPECT_EQ(nextRuns(fitted.study, {}, 2, RunCriterion::Variance).status, OptimumStatus::NoModel);
}

} // namespace
} // namespace quadric::optimize
