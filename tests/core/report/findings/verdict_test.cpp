// SPDX-License-Identifier: GPL-3.0-or-later
// The one verdict on a fit: its rule, and that it never contradicts what else is said of the fit.
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/reading.h"
#include "oracle_study.h"
#include "verdict_studies.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace quadric::report {
namespace {

using namespace model::test;
using model::Fit;
using model::fitResponse;
using testing::HasSubstr;

/// A fit that predicts new runs well, with five degrees of freedom of pure error.
Fit goodFit()
{
    Fit fit;
    fit.status = model::FitStatus::Ok;
    fit.response = "y";
    fit.n = 20;
    fit.parameters = 10;
    fit.dfResidual = 10;
    fit.sigma = 1.0;
    fit.r2 = 0.98;
    fit.r2Predicted = 0.95;
    fit.adequatePrecision = 20;
    fit.anova = {{"Model", 9, 90, 10, 10, 0.001, {}},
                 {"Lack of fit", 5, 5, 1, 1, 0.5, {}},
                 {"Pure error", 5, 5, 1, {}, {}, {}}};
    return fit;
}

void expectVerdict(const Fit& fit, std::string_view name, std::string_view code)
{
    const Verdict verdict = judgeFit(fit);
    EXPECT_EQ(nameOf(verdict), name) << verdict.sentence;
    EXPECT_EQ(verdict.reason.code, code) << verdict.sentence;
}

} // namespace

TEST(Verdict, predictionDecides)
{
    Fit fit = goodFit();
    expectVerdict(fit, "good", "prediction");
    EXPECT_EQ(judgeFit(fit).sentence,
              "Good model. Predicted R² = 0.950 (leave-one-out): new runs are predicted well.");
    fit.r2 = 0.85;
    fit.r2Predicted = 0.7;
    expectVerdict(fit, "fair", "fair-prediction");
    fit.r2 = 0.55;
    fit.r2Predicted = 0.49;
    expectVerdict(fit, "poor", "low-predicted-r2");
    fit.r2Predicted = -0.2;
    expectVerdict(fit, "poor", "poor-prediction");
    fit.r2 = 0.98;
    fit.r2Predicted = 0.75; // more than 0.2 below
    expectVerdict(fit, "fair", "poor-prediction");
    fit.r2Predicted = 0.3;
    expectVerdict(fit, "poor", "poor-prediction");
    fit.r2Predicted.reset();
    expectVerdict(fit, "fair", "press-undefined");
}

/// Adequate precision above 4 is what Myers, Montgomery & Anderson-Cook ask for.
TEST(Verdict, soDoPrecisionSignificanceAndDegreesOfFreedom)
{
    Fit fit = goodFit();
    fit.adequatePrecision = 3.9;
    expectVerdict(fit, "poor", "low-precision");
    fit = goodFit();
    fit.anova[0].p = 0.05;
    expectVerdict(fit, "poor", "no-significant-model");
    fit = goodFit();
    fit.dfResidual = 2;
    expectVerdict(fit, "fair", "few-residual-df");
    fit.dfResidual = 0;
    fit.r2Predicted.reset();
    expectVerdict(fit, "poor", "few-residual-df");
    fit = goodFit();
    fit.r2.reset();
    expectVerdict(fit, "poor", "constant-response");
    fit = goodFit();
    fit.sigma = 0.0;
    expectVerdict(fit, "fair", "no-residual-error");
    Fit none;
    none.message = "No run has a result of y yet.";
    expectVerdict(none, "poor", "no-model");
    EXPECT_EQ(judgeFit(none).sentence, "No model. No run has a result of y yet.");
}

TEST(Verdict, lackOfFitDecidesAsFarAsItIsTested)
{
    Fit fit = goodFit();
    fit.anova[1].p = 0.04;
    expectVerdict(fit, "fair", "lack-of-fit");
    EXPECT_THAT(judgeFit(fit).sentence, HasSubstr("Significant lack of fit (p = 0.04; 5 df of pure error)"));
    fit.anova[1].p = 0.009;
    expectVerdict(fit, "poor", "lack-of-fit");
    fit.anova[2].ss = 0.0; // equal replicates are a finding about the data
    expectVerdict(fit, "good", "prediction");
    EXPECT_EQ(lackOfFitFinding(fit)->code, "zero-pure-error");
    fit.anova.resize(1); // as is that nothing was replicated
    expectVerdict(fit, "good", "prediction");
    EXPECT_EQ(lackOfFitFinding(fit)->code, "no-replicates");
}

/// Absence of evidence is not evidence.
TEST(Verdict, anInsignificantLackOfFitComesWithItsDegreesOfFreedom)
{
    Fit fit = goodFit();
    EXPECT_EQ(lackOfFitFinding(fit)->sentence, "No significant lack of fit (p = 0.5; 5 df of pure error: one "
                                               "of 5 σ² would be found with 54 % probability).");
    fit.anova[1].p = 0.065;
    fit.anova[2].df = 1;
    EXPECT_EQ(lackOfFitFinding(fit)->sentence,
              "No significant lack of fit, but low power (p = 0.065; 1 df of pure error): one of 5 σ² would "
              "be found with only 11 % probability.");
    EXPECT_EQ(lackOfFitFinding(fit)->severity, Severity::Amber);
    expectVerdict(fit, "good", "prediction"); // a caution, as that nothing was replicated
    EXPECT_EQ(readAnova(fit).back(), lackOfFitFinding(fit)->sentence);
}

TEST(Verdict, ofStudiesOfEveryKind)
{
    for (const test::VerdictStudy& each : test::verdictStudies()) {
        SCOPED_TRACE(each.name);
        const Fit fit = model::fitStudy(each.study).front();
        ASSERT_TRUE(fit.isOk()) << fit.message;
        expectVerdict(fit, each.verdict, each.code);
    }
}

/// What decides is always among the findings, with the same severity and the same words.
TEST(Verdict, neverContradictsTheReportCard)
{
    std::mt19937 random(5);
    std::normal_distribution<double> noise;
    for (int round = 0; round < 60; ++round) {
        study::Study study = plainStudy({"A", "B"});
        const double slope = round % 4, bend = round % 3, size = 0.05 * (round % 7);
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1})) {
            const double a = std::get<double>(point[0]), b = std::get<double>(point[1]);
            for (int repeat = 0; repeat <= round % 2; ++repeat)
                addRun(study, point, 10 + slope * a + b + bend * a * a + size * noise(random));
        }
        const Fit fit = fitResponse(study, "y", {.model = round % 5 < 2 ? "linear" : "quadratic"});
        const Verdict verdict = judgeFit(fit);
        const std::vector<Finding> findings = findInFit(fit);
        const auto same = std::ranges::find(findings, verdict.reason.code, &Finding::code);
        ASSERT_NE(same, findings.end()) << verdict.sentence;
        EXPECT_EQ(same->sentence, verdict.reason.sentence);
        EXPECT_EQ(same->severity, verdict.severity);
        EXPECT_THAT(verdict.sentence, HasSubstr(same->sentence));
        if (verdict.severity == Severity::Green) {
            for (const std::string_view topic :
                 {"Degrees of freedom", "Fit", "Prediction", "Adequate precision", "Curvature"}) {
                const auto line = std::ranges::find(findings, topic, &Finding::topic);
                EXPECT_TRUE(line == findings.end() || line->severity == Severity::Green) << line->sentence;
            }
        }
        for (const Finding& finding : findings)
            EXPECT_THAT(finding.sentence + finding.advice, testing::Not(HasSubstr("{"))) << finding.code;
    }
}

} // namespace quadric::report
