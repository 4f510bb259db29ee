// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/base/copies.h"
#include "core/model/fit/fit.h"
#include "core/model/predict/predict.h"

#include <cmath>

namespace quadric::answers {

namespace {

constexpr int kCenterRuns = 5;

study::Study plannedWithCenters()
{
    study::Study study = planned("box-behnken", 3);
    std::erase_if(study.runs, [](const study::Run& run) { return run.kind == study::RunKind::Center; });
    const study::Settings center{{"A", 0.0}, {"B", 0.0}, {"C", 0.0}};
    return study::withRuns(std::move(study), std::vector(kCenterRuns, center), study::RunKind::Center);
}

/// The first so many center runs with the result of the first of them.
study::Study copied(study::Study study, int copies)
{
    const study::Run* original = nullptr;
    for (study::Run& run : study.runs) {
        if (run.kind != study::RunKind::Center || copies-- <= 0)
            continue;
        original = original == nullptr ? &run : original;
        run.results = original->results;
    }
    return study;
}

/// Whether the 95 % interval of the mean at this place contains the truth.
bool coversTruth(const model::Fit& fit, const Truth& truth, const study::CodedPoint& at)
{
    const model::Prediction prediction = model::predict(fit, at);
    return prediction.confidence && prediction.confidence->low <= truth.at(at) &&
           truth.at(at) <= prediction.confidence->high;
}

bool lacksFit(const model::Fit& fit)
{
    const model::AnovaRow* row = model::rowOf(fit, "Lack of fit");
    return row != nullptr && row->p && *row->p < 0.05;
}

void simulateCopiesOf(int copies, int studies, std::vector<Claim>& claims)
{
    Random random(5);
    const study::Study plan = plannedWithCenters();
    int covered = 0, fitting = 0;
    for (int i = 0; i < studies; ++i) {
        const Truth truth = drawTruth(random, 3, 4.0);
        const model::Fit fit = model::fitResponse(copied(measured(plan, truth, random), copies), "y");
        study::CodedPoint at(Eigen::VectorXd::Zero(3));
        for (double& x : at.x)
            x = drawUniform(random, -1.0, 1.0);
        covered += coversTruth(fit, truth, at);
        fitting += !lacksFit(fit);
    }
    const std::string of = std::to_string(copies) + " of 5 center runs are copies: ";
    claims.push_back(makeShare(of + "95 % interval of the mean", covered, studies, 0.93, 0.97));
    claims.push_back(makeShare(of + "right model without lack of fit", fitting, studies, 0.93, 1.0));
}

/// Noise of so many steps of rounding, of which the response spans so many.
struct Rounding {
    const char* name;
    double noise, range;
};

} // namespace

std::vector<Claim> simulateCopiedRuns(int studies)
{
    std::vector<Claim> claims;
    for (const int copies : {3, 4, 5})
        simulateCopiesOf(copies, studies, claims);
    Random random(6);
    const study::Study plan = plannedWithCenters();
    for (const Rounding& rounding :
         {Rounding{"counts, σ = 0.4", 0.4, 6}, Rounding{"counts, σ = 2", 2, 30},
          Rounding{"percent of one decimal, σ = 0.1", 1, 60},
          Rounding{"percent of one decimal, σ = 0.5", 5, 300}, Rounding{"four digits, σ = 1 %", 10, 500}}) {
        int honest = 0;
        for (int i = 0; i < studies; ++i) {
            Truth truth = drawTruth(random, 3, rounding.range / 6, rounding.noise);
            truth.constant = 2 * rounding.range;
            study::Study study = measured(plan, truth, random);
            for (study::Run& run : study.runs)
                run.results["y"] = std::round(run.results["y"]);
            honest += model::findCopies(study, "y").groups.empty();
        }
        claims.push_back(makeShare(std::string("Rounded results are not taken for copies: ") + rounding.name,
                                   honest, studies, 0.99, 1.0));
    }
    return claims;
}

} // namespace quadric::answers
