// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/fit_findings.h"
#include "core/study/document/document.h"
#include "oracle_study.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace quadric::report {

namespace {

using namespace model::test;
using model::Fit;
using model::fitResponse;

study::Study replicatedLine()
{
    study::Study study = plainStudy({"A"});
    for (const double a : {-1.0, -1.0, 0.0, 0.0, 1.0, 1.0})
        addRun(study, {a}, 10 + 3 * a + 0.1 * static_cast<double>(study.runs.size() % 3));
    return study;
}

} // namespace

/// The example's results are simulated, and its three center runs are copies of one another.
TEST(Warnings, copiedCenterRunsLeaveNoPureError)
{
    const std::string path = sourcePath("resources/examples/resnet50-scaling.quadric");
    const std::vector<Fit> fits = model::fitStudy(study::loadStudy(path).study);
    ASSERT_EQ(fits.size(), 2u);
    for (const Fit& fit : fits) {
        ASSERT_TRUE(fit.isOk()) << fit.message;
        EXPECT_TRUE(hasWarning(fit, "zero-pure-error")) << fit.response;
        EXPECT_TRUE(hasWarning(fit, "simulated"));
        EXPECT_TRUE(hasWarning(fit, "copied-results"));
        EXPECT_EQ(fit.n, 13) << "three copies are one observation";
        EXPECT_EQ(model::rowOf(fit, "Pure error"), nullptr);
        EXPECT_EQ(model::rowOf(fit, "Lack of fit"), nullptr);
    }
    EXPECT_EQ(std::lround(fits[0].r2.value() * 1000), 998);
    EXPECT_EQ(std::lround(fits[1].r2.value() * 1000), 999);
}

TEST(Warnings, runsLeftOutAreCounted)
{
    study::Study study = replicatedLine();
    addRun(study, {1.0}, 50).status = study::RunStatus::Failed;
    addRun(study, {1.0}, 50).status = study::RunStatus::Excluded;
    addRun(study, {1.0}, 50).results.clear();
    addRun(study, {1.0}, std::nan(""));
    addRun(study, {1.0}, 50).status = study::RunStatus::Pending;
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_EQ(fit.n, 6);
    std::vector<std::string> messages;
    for (const Finding& warning : warningsOf(fit))
        messages.push_back(warning.sentence);
    EXPECT_THAT(messages, testing::IsSupersetOf({"Run 7 failed and is not part of the fit.",
                                                 "Run 8 is excluded by hand.",
                                                 "Runs 9 and 10 have no usable result of y."}));
}

TEST(Warnings, soundDataHasNone)
{
    const Fit fit = fitResponse(replicatedLine(), "y", {.model = "linear"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_TRUE(warningsOf(fit).empty());
}

TEST(Warnings, modelThatPredictsPoorly)
{
    study::Study study = plainStudy({"A", "B"});
    std::mt19937 noise(3);
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, static_cast<double>(noise()));
    const Fit fit = fitResponse(study, "y");
    ASSERT_TRUE(fit.r2Predicted.has_value());
    EXPECT_LT(*fit.r2Predicted, *fit.r2 - 0.2);
    EXPECT_TRUE(hasWarning(fit, "poor-prediction"));
}

TEST(Warnings, lackOfFitIsNamed)
{
    study::Study study = plainStudy({"A"});
    for (const double a : {-1.0, -1.0, 0.0, 0.0, 1.0, 1.0})
        addRun(study, {a}, 5 * a * a + 0.01 * static_cast<double>(study.runs.size() % 2));
    EXPECT_TRUE(hasWarning(fitResponse(study, "y", {.model = "linear"}), "lack-of-fit"));
}

} // namespace quadric::report
