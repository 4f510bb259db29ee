// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

namespace quadric::plan {

/// Values of a time response of all runs that are done, or where no response is named how long these runs
/// took, in seconds. Throws std::invalid_argument without such a run, and for a response that is no time.
std::vector<double> observedJobs(const study::Study& study, std::string_view response);

/// Seconds in a unit of a response. Throws std::invalid_argument naming it where it is none of time.
double requireTimeUnit(std::string_view response, std::string_view unit);

/// What the model predicts of the settings of each run that is done, some factors set to other values, in
/// seconds. Throws std::invalid_argument for a prediction that is not above 0.
std::vector<double> modeledJobs(const model::Fit& fit, const study::Study& study,
                                const study::Settings& instead);

/// What the model predicts along one factor in nine equal steps, the others at the center of the region (the
/// first level of a categorical one) or as in `instead`, in seconds. Throws as modeledJobs().
std::vector<double> modeledJobsAlong(const model::Fit& fit, std::size_t factor,
                                     const study::Settings& instead);

/// The factors, apart from those set, that explain least and most of the times alone and with others (total
/// Sobol index).
struct FactorExtremes {
    std::size_t least = 0, most = 0;
};
/// Empty where fewer than two factors are left.
std::optional<FactorExtremes> findExtremes(const model::Fit& fit, const study::Settings& set);

} // namespace quadric::plan
