// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/variance_components.h"
#include "core/model/fit/weights.h"

#include <algorithm>

namespace quadric::model {

std::optional<VarianceComponents> varianceComponentsOf(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr || fit.dfResidual == 0)
        return std::nullopt;
    VarianceComponents components{
        .insideRuns = {}, .betweenRuns = fit.sigma * fit.sigma, .betweenBlocks = {}};
    if (const auto inside = variancesInside(fit.data->observations, fit.transform)) {
        components.insideRuns = inside->mean();
        components.betweenRuns = fit.weighting ? fit.weighting->betweenRuns
                                               : std::max(components.betweenRuns - inside->mean(), 0.0);
    }
    if (fit.blockVariance)
        components.betweenBlocks = fit.blockVariance->between;
    return components;
}

} // namespace quadric::model
