// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/fastest.h"

#include "core/optimize/merit/optimum.h"

namespace quadric::plan {

FastestSettings findFastest(const study::Study& study, const model::Fit& fit, const study::Settings& given,
                            bool isSpeed)
{
    study::Study alone = study;
    for (study::Response& response : alone.responses)
        response.goal = response.name != fit.response ? study::Goal::None
                        : isSpeed                     ? study::Goal::Maximize
                                                      : study::Goal::Minimize;
    optimize::OptimizeOptions options;
    options.fixed = given;
    options.hasAlternatives = false;
    const optimize::Optimum optimum = optimize::findOptimum(alone, {fit}, options);
    return {optimum.settings, optimum.message};
}

} // namespace quadric::plan
