// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

namespace quadric::optimize {

/// The mean of the confirming runs of one response against its prediction interval.
struct ConfirmedResponse {
    std::string response, unit;
    int runs = 0; ///< m, those with a result
    double observed =
        0.0; ///< their mean; with a transform the back-transformed mean of the transformed values
    model::Prediction predicted; ///< interval for the mean of m runs, by the model without these runs
    bool isInside = false;       ///< false too where there is no interval
    double distance = 0.0;       ///< observed − predicted, response's own unit
    /// |distance| in half widths of the interval, on the scale of the model: at most 1 inside. Empty without
    /// an interval.
    std::optional<double> halfWidths;
    std::string sentence; ///< the verdict in words
};

/// What the confirmation runs at one setting say of the models.
struct Confirmation {
    study::Settings settings;
    std::vector<int> runs; ///< ids of the confirmation runs at this setting, pending ones too
    int pending = 0;       ///< not done, not failed, not excluded
    std::vector<ConfirmedResponse> responses; ///< empty as long as no run is done
    /// All responses with an interval are inside; false too as long as there is no verdict.
    bool isConfirmed = false;
};

/// One entry for each setting that has confirmation runs, in the order of the study. `fits` as fitStudy()
/// returns them, which leaves confirmation runs out. Whoever wants to fit them too makes them augmenting runs
/// (RunKind::Augment); from then on they judge nothing.
std::vector<Confirmation> confirmationVerdicts(const study::Study& study,
                                               const std::vector<model::Fit>& fits);

} // namespace quadric::optimize
