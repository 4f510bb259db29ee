// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/weight_advice.h"
#include "core/report/findings/fit_findings.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace quadric;

namespace {

/// A straight line in 12 runs, whose errors and spreads are as given.
study::Study lineWith(const std::vector<double>& errors, const std::vector<double>& spreads)
{
    study::Study study;
    study.factors = {{.name = "a", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "speed", .unit = "img/s"}};
    study.model["speed"] = "linear";
    for (std::size_t i = 0; i < errors.size(); ++i) {
        study::Run run{.id = static_cast<int>(i) + 1, .order = static_cast<int>(i) + 1};
        const double a = i % 3 == 0 ? -1.0 : i % 3 == 1 ? 0.0 : 1.0;
        run.settings = {{"a", a}};
        run.status = study::RunStatus::Done;
        run.results = {{"speed", 100.0 + 5.0 * a + errors[i]}};
        run.spread = {{"speed", spreads[i]}};
        study.runs.push_back(run);
    }
    return study;
}

const std::vector<double> kErrors{0.1, -9, 0.05, 11, -0.1, 8, -0.08, -12, 0.12, 10, 0.03, -7};
const std::vector<double> kTold{0.1, 9, 0.1, 9, 0.1, 9, 0.1, 9, 0.1, 9, 0.1, 9};

const report::Finding* findCode(const std::vector<report::Finding>& findings, std::string_view code)
{
    const auto found = std::ranges::find(findings, code, &report::Finding::code);
    return found == findings.end() ? nullptr : &*found;
}

std::vector<report::Finding> findingsOf(const study::Study& study)
{
    return report::findInFit(model::fitStudy(study).front());
}

} // namespace

TEST(VariationFindings, spreadsThatTellOfTheErrorsAreRecommended)
{
    study::Study study = lineWith(kErrors, kTold);
    const auto findings = findingsOf(study);
    const report::Finding* advice = findCode(findings, "other-weights");
    ASSERT_NE(advice, nullptr);
    EXPECT_THAT(advice->sentence, testing::HasSubstr("differ by the factor 90"));
    study.responses[0].weights = study::Weights::Spread;
    EXPECT_EQ(findCode(findingsOf(study), "other-weights"), nullptr);
    EXPECT_NE(findCode(findingsOf(study), "weights"), nullptr);
}

TEST(VariationFindings, spreadsThatTellTheContraryAreNot)
{
    std::vector<double> wrong = kTold;
    std::rotate(wrong.begin(), wrong.begin() + 1, wrong.end());
    study::Study study = lineWith(kErrors, wrong);
    EXPECT_EQ(findCode(findingsOf(study), "other-weights"), nullptr);
}

TEST(VariationFindings, weightsWithoutSpreadsAreNamed)
{
    study::Study study = lineWith(kErrors, kTold);
    study.responses[0].weights = study::Weights::Spread;
    study.runs[4].spread.clear();
    const auto findings = findingsOf(study);
    const report::Finding* problem = findCode(findings, "weights-unused");
    ASSERT_NE(problem, nullptr);
    EXPECT_THAT(problem->sentence, testing::HasSubstr("run 5"));
}

TEST(VariationFindings, theLargestVarianceSaysWhatToDo)
{
    const std::vector<double> small(12, 0.01), large(12, 9.0);
    const auto advice = [](const study::Study& study) {
        return report::varianceFinding(model::fitStudy(study).front()).value().advice;
    };
    EXPECT_THAT(advice(lineWith(kErrors, large)), testing::HasSubstr("longer"));
    EXPECT_THAT(advice(lineWith(kErrors, small)), testing::HasSubstr("more often"));
    study::Study blocks = lineWith(kErrors, small);
    for (study::Run& run : blocks.runs) {
        run.block = 1 + (run.id - 1) / 3;
        run.results["speed"] += 100.0 * run.block;
    }
    EXPECT_THAT(advice(blocks), testing::HasSubstr("sessions"));
    study::Study none = lineWith(kErrors, small);
    for (study::Run& run : none.runs)
        run.spread.clear();
    EXPECT_FALSE(report::varianceFinding(model::fitStudy(none).front()).has_value());
}

/// Residuals of 25 and more that curvature leaves are no variation between runs: replicates differ by 0.1.
TEST(VariationFindings, lackOfFitIsNoVariationBetweenRuns)
{
    study::Study study = lineWith(std::vector<double>(12, 0.0), std::vector<double>(12, 0.5));
    for (study::Run& run : study.runs) {
        const double a = std::get<double>(run.settings["a"]);
        run.results["speed"] += 50.0 * a * a + 0.1 * ((run.id * 5) % 7);
    }
    const report::Finding finding = report::varianceFinding(model::fitStudy(study).front()).value();
    EXPECT_THAT(finding.advice, testing::HasSubstr("longer")) << finding.sentence;
}

TEST(VariationFindings, recommendedWeightsAreThoseThatPredictBetter)
{
    study::Study study = lineWith(kErrors, kTold);
    EXPECT_EQ(model::recommendedWeights(study, "speed"), study::Weights::Spread);
    for (study::Run& run : study.runs)
        run.spread["speed"] = kTold[static_cast<std::size_t>(run.id) % kTold.size()];
    study.responses[0].weights = study::Weights::Spread;
    EXPECT_EQ(model::recommendedWeights(study, "speed"), study::Weights::Equal);
}
