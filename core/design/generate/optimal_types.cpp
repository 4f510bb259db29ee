// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/design_catalog.h"
#include "core/design/optimal/optimal.h"

namespace quadric::design {

namespace {

std::vector<DesignPoint> dOptimalOf(const study::Study& study, const std::stop_token& stop,
                                    const Progress& progress)
{
    return optimalPoints(study, makeOptimalRequest(study, Criterion::D), stop, progress);
}

std::vector<DesignPoint> iOptimalOf(const study::Study& study, const std::stop_token& stop,
                                    const Progress& progress)
{
    return optimalPoints(study, makeOptimalRequest(study, Criterion::I), stop, progress);
}

int optimalCount(const study::Study& study)
{
    const OptimalRequest request = makeOptimalRequest(study, Criterion::D);
    return request.runs > 0 ? request.runs : defaultRuns(study, request.model, request.blocks);
}

} // namespace

DesignType iOptimalType()
{
    return {.name = "i-optimal",
            .title = "I-optimal",
            .purpose = "Most precise predictions for the runs you can afford.",
            .points = iOptimalOf,
            .count = optimalCount,
            .keys = {"digits", "model", "runs"},
            .isOrthogonal = false};
}

DesignType dOptimalType()
{
    return {.name = "d-optimal",
            .title = "D-optimal",
            .purpose = "Most precise coefficients for the runs you can afford.",
            .points = dOptimalOf,
            .count = optimalCount,
            .keys = {"digits", "model", "runs"},
            .isOrthogonal = false};
}

} // namespace quadric::design
