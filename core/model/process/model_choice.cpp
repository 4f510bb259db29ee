// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/model_choice.h"

#include "core/model/base/normal_draws.h"
#include "core/model/fit/prediction_error.h"
#include "core/model/fit/prediction_scale.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// An error of 0 is not infinitely better.
constexpr double kLeastError = 1e-12;
constexpr int kSimulations = 19;              ///< all of them on one side: 5 %
constexpr double kNotablySmaller = 2.0 / 3.0; ///< of the polynomial's error
constexpr std::ptrdiff_t kEnoughFollowUps = 5;
constexpr std::uint64_t kSeed = 20261123;

/// log of the process's error over the polynomial's; the smaller, the better the process.
double logRatio(const ModelErrors& error)
{
    const double least = kLeastError * std::max(error.process.error, error.polynomial.error);
    return std::log(std::max(error.process.error, least) / std::max(error.polynomial.error, least));
}

/// The study with results as the polynomial and its residual deviation give them.
study::Study simulatedFrom(const Fit& fit, study::Study study, NormalDraws& draws)
{
    const PredictionError truth(fit);
    const study::Coding coding(fit.factors);
    for (study::Run& run : study.runs) {
        const auto result = run.results.find(fit.response);
        if (run.status != study::RunStatus::Done || result == run.results.end() ||
            !std::isfinite(result->second))
            continue;
        const double mean = truth.rowAt(coding.toCoded(run.settings)).dot(truth.beta());
        result->second = toResponseUnit(fit, mean + truth.sigma() * draws.next());
    }
    return study;
}

bool isMeasuredFollowUp(const study::Run& run)
{
    return run.kind == study::RunKind::Augment && run.status == study::RunStatus::Done;
}

} // namespace

std::vector<ModelErrors> compareErrors(const std::vector<Fit>& fits, const std::vector<Process>& processes)
{
    std::vector<ModelErrors> errors;
    for (const Process& process : processes) {
        const auto fit = std::ranges::find(fits, process.response, &Fit::response);
        if (fit == fits.end() || !process.isOk())
            continue;
        if (const std::optional<LeaveSettingOut> polynomial = leaveSettingOut(*fit))
            errors.push_back({process.response, *polynomial, process.leftOut});
    }
    return errors;
}

bool isProcessBetter(const std::vector<ModelErrors>& errors)
{
    double sum = 0.0;
    for (const ModelErrors& error : errors)
        sum += logRatio(error);
    return sum < 0.0;
}

bool isProcessBetterThanByChance(const study::Study& study, const Fit& fit, const Process& process,
                                 const std::stop_token& stop)
{
    const std::vector<ModelErrors> found = compareErrors({fit}, {process});
    if (found.empty() || !found.front().isProcessBetter() || fit.data == nullptr || fit.dfResidual < 1)
        return false;
    FitOptions polynomial = fit.data->options;
    polynomial.transform = fit.transform;
    const ProcessOptions options{.transform = process.transform};
    NormalDraws draws(kSeed);
    for (int i = 0; i < kSimulations; ++i) {
        if (stop.stop_requested())
            return false;
        const study::Study simulated = simulatedFrom(fit, study, draws);
        const auto errors = compareErrors({fitResponse(simulated, fit.response, polynomial)},
                                          {fitProcess(simulated, fit.response, options)});
        if (!errors.empty() && logRatio(errors.front()) <= logRatio(found.front()))
            return false;
    }
    return true;
}

bool isProcessAdvised(const study::Study& study, const Fit& fit, const Process& process,
                      const std::stop_token& stop)
{
    if (!fit.isOk() || !process.isOk())
        return false;
    const bool hasFollowUps = std::ranges::count_if(study.runs, isMeasuredFollowUp) >= kEnoughFollowUps;
    const std::optional<LeaveSettingOut> polynomial = leaveSettingOut(fit);
    if (!polynomial)
        return hasFollowUps;
    return process.leftOut.error < kNotablySmaller * polynomial->error &&
           (hasFollowUps || isProcessBetterThanByChance(study, fit, process, stop));
}

} // namespace quadric::model
