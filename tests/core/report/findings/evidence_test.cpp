// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/evidence.h"
#include "core/report/findings/fit_findings.h"
#include "core/study/document/document.h"
#include "oracle_study.h"
#include "verdict_studies.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace quadric::report {
namespace {

using namespace model::test;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

/// Two responses on a line, three levels, each twice, in random order.
study::Study replicatedStudy()
{
    study::Study study = plainStudy({"A"});
    study.responses.push_back({.name = "z"});
    const std::vector<int> orders{4, 1, 2, 5, 3, 6};
    const std::vector<double> errors{0.02, 0.10, -0.05, 0.08, -0.10, -0.04};
    for (const double a : {-1.0, -1.0, 0.0, 0.0, 1.0, 1.0}) {
        const std::size_t i = study.runs.size();
        study::Run& run = addRun(study, {a}, 10 + 3 * a + 0.1 * static_cast<double>(i % 3));
        run.order = orders[i];
        run.results["z"] = 10 + 3 * a + errors[i];
        run.provenance.source = study::Source::Measured;
    }
    study.model = {{"y", "linear"}, {"z", "linear"}};
    return study;
}

} // namespace

TEST(Evidence, goodModelsAndReplicatesSpeakForTheModels)
{
    const study::Study study = replicatedStudy();
    const std::vector<std::string> evidence = findEvidence(study, model::fitStudy(study));
    EXPECT_THAT(evidence, Contains(StartsWith("y: Good model. Predicted R² = 0.99")));
    EXPECT_THAT(evidence, Contains("y: Replicates estimate the pure error (3 degrees of freedom)."));
    EXPECT_THAT(evidence, Contains("All results were measured."));
    EXPECT_THAT(findCautions(study, model::fitStudy(study)), testing::IsEmpty());
}

TEST(Evidence, lackOfFitIsSaidOnceForEachResponse)
{
    const std::vector<test::VerdictStudy> studies = test::verdictStudies();
    study::Study study = std::ranges::find(studies, "bent", &test::VerdictStudy::name)->study;
    study.responses.push_back({.name = "z"});
    study.model["z"] = "linear";
    for (study::Run& run : study.runs)
        run.results["z"] = 2 * run.results["y"];
    const std::vector<model::Fit> fits = model::fitStudy(study);
    ASSERT_EQ(judgeFit(fits[0]).reason.code, "lack-of-fit") << judgeFit(fits[0]).sentence;
    EXPECT_THAT(findCautions(study, fits),
                testing::ElementsAre(StartsWith("y: Poor model. Significant lack of fit"),
                                     StartsWith("z: Poor model. Significant lack of fit"),
                                     StartsWith("y, z: Neighboring runs are not independent"),
                                     StartsWith("y and z are nearly one measurement")));
    EXPECT_THAT(findEvidence(study, fits), testing::Not(Contains(HasSubstr("Good model"))));
}

TEST(Evidence, aWarningNamesAllResponsesThatItIsAbout)
{
    study::Study study = replicatedStudy();
    study.runs[5].status = study::RunStatus::Excluded;
    const std::vector<std::string> cautions = findCautions(study, model::fitStudy(study));
    EXPECT_THAT(cautions, Contains("y, z: Run 6 is excluded by hand."));
}

TEST(Evidence, theStateOfTheRunsIsSaidOfTheWholeStudy)
{
    study::Study study = replicatedStudy();
    study.runs[0].provenance.source = study::Source::Simulated;
    study.runs[1].provenance.disturbed = true;
    addRun(study, {1.0}, 13).status = study::RunStatus::Failed;
    addRun(study, {1.0}, 13).status = study::RunStatus::Failed;
    addRun(study, {1.0}, 13).status = study::RunStatus::Pending;
    const std::vector<std::string> cautions = findCautions(study, model::fitStudy(study));
    EXPECT_EQ(cautions.front(), "The results are simulated, not measured.");
    EXPECT_THAT(cautions, Contains("2 runs failed; the models contain no result at their settings."));
    EXPECT_THAT(cautions,
                Contains("1 run was disturbed during the measurement: throttled, or on a shared machine."));
    EXPECT_EQ(cautions.back(), "1 run of the design is still missing.");
    EXPECT_THAT(findEvidence(study, {}), testing::IsEmpty());
}

} // namespace quadric::report
