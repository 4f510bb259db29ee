// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/front_desirability.h"

#include "core/optimize/merit/goals.h"

namespace quadric::optimize {

std::vector<double> frontDesirability(const study::Study& study, const std::vector<model::Fit>& fits,
                                      const std::vector<FrontPoint>& front)
{
    const Goals goals = goalsOf(study, fits);
    std::vector<double> values;
    if (!goals.hasCompromise())
        return values;
    values.reserve(front.size());
    const study::Coding coding(study.factors);
    std::vector<double> predicted(goals.count());
    for (const FrontPoint& point : front) {
        const study::CodedPoint at = coding.toCoded(point.settings);
        for (std::size_t row = 0; row < goals.count(); ++row)
            predicted[row] = model::predictMean(*goals.fits[row], at);
        values.push_back(overall(goals.desirabilities, predicted));
    }
    return values;
}

} // namespace quadric::optimize
