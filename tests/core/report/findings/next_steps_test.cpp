// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/recommended_models.h"
#include "core/report/findings/next_steps.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

namespace quadric::report {
namespace {

using namespace model::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A line on three levels, each twice; nothing to complain of.
study::Study lineStudy()
{
    study::Study study = plainStudy({"A"});
    study.responses.front().goal = study::Goal::Maximize;
    for (const double a : {-1.0, -1.0, 0.0, 0.0, 1.0, 1.0}) {
        const double error = 0.1 * static_cast<double>(study.runs.size() % 3);
        addRun(study, {a}, 10 + 3 * a + error).provenance.source = study::Source::Measured;
    }
    study.model = {{"y", "linear"}};
    return study;
}

std::vector<std::string> stepsFor(const study::Study& study)
{
    const std::vector<model::Fit> fits = model::fitStudy(study);
    return findNextSteps(study, fits, model::recommendTogether(fits), optimize::findOptimum(study, fits),
                         optimize::confirmationVerdicts(study, fits), 1);
}

study::Study confirmedBy(double result)
{
    study::Study study = lineStudy();
    addRun(study, {1.0}, result).kind = study::RunKind::Confirmation;
    study.runs.back().provenance.source = study::Source::Measured;
    return study;
}

} // namespace

TEST(NextSteps, beginWithADesign)
{
    EXPECT_THAT(stepsFor(plainStudy({"A"})), ElementsAre(StartsWith("Choose a design")));
}

TEST(NextSteps, countTheRunsThatAreLeft)
{
    study::Study study = lineStudy();
    study.runs.back().status = study::RunStatus::Pending;
    study.runs.back().results.clear();
    EXPECT_THAT(stepsFor(study), testing::Contains("Execute the 1 run that is left."));
}

TEST(NextSteps, endWithWhatTheBestSettingNeeds)
{
    EXPECT_THAT(stepsFor(lineStudy()).back(), StartsWith("Confirm the best setting"));
    EXPECT_THAT(stepsFor(confirmedBy(13.1)).back(), StartsWith("Use the best setting"));
    EXPECT_THAT(stepsFor(confirmedBy(20.0)).back(), HasSubstr("not confirmed"));
}

/// Alone the log is recommended for y; together with the other responses it may not be.
TEST(NextSteps, adviseTheScalesOfAllResponsesTogether)
{
    study::Study study = lineStudy();
    for (study::Run& run : study.runs)
        run.results["y"] = std::exp(run.results["y"]);
    const std::vector<model::Fit> fits = model::fitStudy(study);
    const auto adviseWith = [&](const std::vector<model::Recommendation>& scales) {
        return findNextSteps(study, fits, scales, {}, {}, 10);
    };
    const model::Recommendation alone = model::recommendScales(fits.front());
    ASSERT_EQ(alone.transform.kind, study::TransformKind::Log);
    const auto isAdvised = testing::Contains(HasSubstr(alone.message));
    EXPECT_THAT(adviseWith({alone}), isAdvised);
    EXPECT_THAT(adviseWith(std::vector<model::Recommendation>(1)), testing::Not(isAdvised));
}

TEST(NextSteps, giveEachAdviceOnceAndTheMostUrgentFirst)
{
    study::Study study = lineStudy();
    study.responses.push_back(study.responses.front());
    study.responses.back().name = "z";
    study.model["z"] = "linear";
    for (study::Run& run : study.runs) {
        const double a = std::get<double>(run.settings.begin()->second);
        run.results["y"] = 10 + 3 * a * a + run.results["y"] / 100.0; // bent: the line misses it
        run.results["z"] = 2 * run.results["y"];
    }
    const std::vector<std::string> steps = stepsFor(study);
    EXPECT_THAT(steps.front(), StartsWith("y, z: ")) << testing::PrintToString(steps);
    EXPECT_EQ(steps.size(), 2U); // one advice was asked for
}

} // namespace quadric::report
