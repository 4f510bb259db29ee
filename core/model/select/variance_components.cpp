// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/variance_components.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/prediction_error.h"
#include "core/model/fit/prediction_scale.h"
#include "core/model/fit/weights.h"

#include <algorithm>

namespace quadric::model {

namespace {

/// Variance of replicates where the model misses more than they differ: its residuals are then no noise.
std::optional<double> varianceOfReplicates(const Fit& fit)
{
    const AnovaRow* lack = rowOf(fit, "Lack of fit");
    const AnovaRow* pure = rowOf(fit, "Pure error");
    const bool isMissing = lack != nullptr && lack->p && *lack->p < kSignificance;
    return isMissing && pure != nullptr ? pure->ms : std::nullopt;
}

} // namespace

std::optional<VarianceComponents> varianceComponentsOf(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr || fit.dfResidual == 0)
        return std::nullopt;
    const std::optional<double> replicates = varianceOfReplicates(fit);
    const double ofRun = replicates.value_or(varianceOfNewRun(fit));
    VarianceComponents components{.insideRuns = {}, .betweenRuns = ofRun, .betweenBlocks = {}};
    if (const auto inside = variancesInside(fit.data->observations, fit.transform)) {
        components.insideRuns = inside->mean();
        components.betweenRuns =
            fit.weighting && !replicates ? fit.weighting->betweenRuns : std::max(ofRun - inside->mean(), 0.0);
    }
    if (fit.blockVariance)
        components.betweenBlocks = fit.blockVariance->between;
    return components;
}

} // namespace quadric::model
