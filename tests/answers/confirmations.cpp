// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/optimize/confirmation.h"

namespace quadric::answers {

namespace {

constexpr int kConfirmingRuns = 3;

/// So many independent responses with full quadratic truths, measured, and three confirming runs at (0.5,
/// −0.5, 0.5) with `scatter` times the noise.
study::Study confirmedStudy(const study::Study& plan, int responses, double scatter, Random& random)
{
    study::Study study = plan;
    study.responses.clear();
    std::vector<Truth> truths;
    for (int i = 0; i < responses; ++i) {
        study::Response response;
        response.name = "y" + std::to_string(i);
        study.responses.push_back(response);
        truths.push_back(drawTruth(random, 3, 4.0));
    }
    const study::Settings setting{{"A", 0.5}, {"B", -0.5}, {"C", 0.5}};
    study = study::withRuns(std::move(study), std::vector(kConfirmingRuns, setting),
                            study::RunKind::Confirmation);
    const study::Coding coding(study.factors);
    for (study::Run& run : study.runs) {
        const double noise = run.kind == study::RunKind::Confirmation ? scatter : 1.0;
        for (int i = 0; i < responses; ++i)
            run.results["y" + std::to_string(i)] =
                truths[static_cast<std::size_t>(i)].at(coding.toCoded(run.settings)) +
                noise * drawNormal(random);
        run.status = study::RunStatus::Done;
    }
    return study;
}

bool isConfirmed(const study::Study& study)
{
    return optimize::confirmationVerdicts(study, model::fitStudy(study)).at(0).isConfirmed;
}

} // namespace

std::vector<Claim> simulateConfirmations(int studies)
{
    Random random(3);
    const study::Study plan = planned("box-behnken", 3);
    std::vector<Claim> claims;
    for (int responses = 1; responses <= 5; ++responses) {
        int confirmed = 0;
        for (int i = 0; i < studies; ++i)
            confirmed += isConfirmed(confirmedStudy(plan, responses, 1.0, random));
        claims.push_back(makeShare("Right models confirmed by three runs, " + std::to_string(responses) +
                                       (responses == 1 ? " response" : " responses"),
                                   confirmed, studies, 0.935, 0.965));
    }
    int refuted = 0;
    for (int i = 0; i < studies; ++i)
        refuted += !isConfirmed(confirmedStudy(plan, 1, 8.0, random));
    claims.push_back(makeShare("Three runs that scatter by 8 σ not confirmed", refuted, studies, 0.9, 1.0));
    return claims;
}

} // namespace quadric::answers
