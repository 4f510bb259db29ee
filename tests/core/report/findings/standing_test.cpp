// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/recommended_models.h"
#include "core/optimize/answer/own_best.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/model_advice.h"
#include "core/report/findings/remedy.h"
#include "core/report/findings/standing.h"
#include "core/study/document/document.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

namespace quadric::report {
namespace {

struct Example {
    study::Study study = study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    std::vector<model::Fit> fits = optimize::fitForGoals(study);
    study::Settings settings{{"gpu_count", 64.0}, {"batch_per_gpu", 256.0}, {"gradient_compression", 90.0}};

    Standing judge() const
    {
        return judgeSetting(study, fits, settings, optimize::confirmationVerdicts(study, fits));
    }
    void confirmWith(double factor)
    {
        study = study::withRuns(study, {settings, settings, settings}, study::RunKind::Confirmation);
        double shift = -0.0001;
        for (std::size_t i = study.runs.size() - 3; i < study.runs.size(); ++i, shift += 0.0001) {
            study.runs[i].status = study::RunStatus::Done;
            for (const auto& at : optimize::assess(study, fits, settings).responses)
                study.runs[i].results[at.response] = (factor + shift) * at.predicted.mean;
        }
    }
};

} // namespace

TEST(StandingTest, namesTheConstraintAndItsNumbers)
{
    Example example;
    EXPECT_EQ(example.judge().verdict, "");
    example.study.constraints = {"gpu_count*batch_per_gpu <= 8192"};
    const Standing standing = example.judge();
    EXPECT_TRUE(standing.isRejected());
    EXPECT_EQ(standing.verdict, "Infeasible: gpu_count×batch_per_gpu = 16384 > 8192.");
}

TEST(StandingTest, saysWhatConfirmingRunsGave)
{
    Example example;
    example.confirmWith(1.0);
    EXPECT_EQ(example.judge().verdict, "Confirmed by 3 runs.");
    Example other;
    other.confirmWith(0.5);
    const Standing standing = other.judge();
    EXPECT_TRUE(standing.isRejected());
    EXPECT_EQ(standing.verdict, "Not confirmed: do not use this setting.");
    EXPECT_THAT(standing.reasons, testing::Contains(testing::HasSubstr("images_per_sec: measured ")));
    other.study.runs.back().provenance.disturbed = true;
    EXPECT_FALSE(other.judge().isRejected());
    EXPECT_THAT(other.judge().verdict, testing::HasSubstr("No verdict yet"));
}

TEST(StandingTest, saysThatAModelIsPoor)
{
    Example example;
    double sign = 1.0; // results that have nothing to do with the settings
    for (study::Run& run : example.study.runs) {
        run.results["images_per_sec"] = 1000.0 + sign * 300.0 + run.id;
        sign = -sign;
    }
    example.fits = optimize::fitForGoals(example.study);
    ASSERT_EQ(judgeFit(example.fits.front()).severity, Severity::Red);
    EXPECT_THAT(example.judge().reasons,
                testing::Contains(testing::StartsWith("The model of images_per_sec is poor: ")));
}

TEST(AdviceTest, isCountedAsAWarningAndHasARemedy)
{
    const Example example;
    const std::vector<model::Recommendation> scales = model::recommendTogether(example.fits);
    const std::vector<ResponseFinding> warnings = findWarnings(example.fits, scales);
    const auto other = std::ranges::find_if(
        warnings, [](const ResponseFinding& each) { return each.finding.code == "other-scales"; });
    ASSERT_NE(other, warnings.end());
    EXPECT_EQ(findRemedy(other->finding), Remedy::UseRecommendedModels);
    EXPECT_GT(warnings.size(), findWarnings(example.fits, {}).size());
    EXPECT_THAT(describeAdvice(example.fits, scales),
                testing::AllOf(testing::HasSubstr("images_per_sec with transform log (error "),
                               testing::HasSubstr(" instead of ")));
}

} // namespace quadric::report
