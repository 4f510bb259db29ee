// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/finding.h"
#include "core/report/findings/advice.h"
#include "core/report/findings/answer_findings.h"
#include "core/study/document/document.h"
#include "oracle_study.h"
#include "tests/support/test_paths.h"

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
    return findNextSteps(study, fits, optimize::findOptimum(study, fits),
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

/// Copies leave no pure error: one advice mends both.
TEST(NextSteps, leaveOutWhatFollowsFromAnotherFinding)
{
    const study::Study study =
        study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    const std::vector<model::Fit> fits = model::fitStudy(study);
    const std::vector<std::string> steps =
        findNextSteps(study, fits, optimize::findOptimum(study, fits), {}, 9);
    EXPECT_THAT(steps, testing::Contains(HasSubstr("Measure the replicates again.")));
    EXPECT_THAT(steps, testing::Not(testing::Contains(HasSubstr("were copied"))));
}

namespace {

constexpr Entry kEntry{"some-code", Severity::Amber, "Topic", "{Runs} {is|are} near {place}.",
                       "Check {runs}{| and all others}."};

Finding coded(std::string code, Severity severity)
{
    Finding finding;
    finding.code = std::move(code);
    finding.severity = severity;
    return finding;
}

TEST(Catalogue, fillsPlaceholdersAndChoosesTheFormOfWords)
{
    EXPECT_EQ(fill("{n} run{|s} failed", {{"n", "1"}}, 1), "1 run failed");
    EXPECT_EQ(fill("{n} run{|s} failed", {{"n", "3"}}, 3), "3 runs failed");
    EXPECT_EQ(fill("no placeholder", {}), "no placeholder");
    EXPECT_EQ(fill("{unknown} stays", {}), "{unknown} stays");
}

TEST(Catalogue, aBraceInANameIsNoPlaceholder)
{
    EXPECT_EQ(fill("{response} and {other}", {{"response", "{other}"}, {"other", "y|z"}}), "{other} and y|z");
}

TEST(Catalogue, findingsNameTheirRuns)
{
    const Finding one = makeFinding(kEntry, {{"place", "A"}}, {7});
    EXPECT_EQ(one.code, "some-code");
    EXPECT_EQ(one.severity, Severity::Amber);
    EXPECT_EQ(one.sentence, "Run 7 is near A.");
    EXPECT_EQ(one.advice, "Check run 7.");
    EXPECT_THAT(one.runs, testing::ElementsAre(7));
    const Finding two = makeFinding(kEntry, {{"place", "A"}}, {7, 9});
    EXPECT_EQ(two.sentence, "Runs 7 and 9 are near A.");
    EXPECT_EQ(two.advice, "Check runs 7 and 9 and all others.");
}

TEST(Catalogue, theWorstFindingIsTheFirstOfItsSeverity)
{
    EXPECT_EQ(findWorst({}), nullptr);
    const std::vector<Finding> findings{coded("a", Severity::Green), coded("b", Severity::Red),
                                        coded("c", Severity::Amber), coded("d", Severity::Red)};
    EXPECT_EQ(findWorst(findings)->code, "b");
    EXPECT_EQ(findSeverity(0.05), Severity::Green);
    EXPECT_EQ(findSeverity(0.049), Severity::Amber);
    EXPECT_EQ(findSeverity(0.0099), Severity::Red);
}

/// Predicted 100 ± 8 for one new run: from 98 downwards it is worth words, upwards never.
TEST(Correction, IsSaidWhereItIsWorseByAQuarterOfTheInterval)
{
    const auto sentences = [](study::Goal goal, double corrected) {
        study::Study study = lineStudy();
        study.responses.front().goal = goal;
        optimize::ResponseAtOptimum at;
        at.response = "y";
        at.goal = goal;
        at.target = 100.0;
        at.predicted.mean = 100.0;
        at.predicted.prediction = model::Interval{92.0, 108.0};
        optimize::Optimum optimum;
        optimum.responses = {at};
        optimize::OptimumCorrection correction;
        correction.responses.resize(1);
        correction.responses[0].response = "y";
        correction.responses[0].mean = corrected;
        return describeCorrection(study, optimum, correction);
    };
    EXPECT_THAT(sentences(study::Goal::Maximize, 97.9),
                ElementsAre("y: 100.0, and 97.9 after correction for selecting the best setting."));
    EXPECT_THAT(sentences(study::Goal::Minimize, 102.1), testing::SizeIs(1));
    EXPECT_THAT(sentences(study::Goal::Target, 102.1), testing::SizeIs(1));
    EXPECT_THAT(sentences(study::Goal::Maximize, 98.1), testing::IsEmpty());
    EXPECT_THAT(sentences(study::Goal::Maximize, 105.0), testing::IsEmpty());
    EXPECT_THAT(sentences(study::Goal::Minimize, 95.0), testing::IsEmpty());
    EXPECT_THAT(sentences(study::Goal::None, 50.0), testing::IsEmpty());
}

} // namespace
} // namespace quadric::report
