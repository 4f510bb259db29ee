// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/largest_model.h"

#include "core/design/base/information.h"

namespace quadric::design {

std::string largestModel(const study::Study& study)
{
    if (!study.design.model.empty() && study.design.type.ends_with("-optimal"))
        return study.design.model;
    const model::Order largest = largestOrderOf(study);
    std::string saturated;
    for (const model::Order order :
         {model::Order::Quadratic, model::Order::Interactions, model::Order::Linear}) {
        if (order > largest)
            continue;
        const Information information = informationOf(study, model::nameOf(order));
        if (!information.leftOut.empty())
            continue;
        if (information.dfResidual() > 0)
            return std::string(model::nameOf(order));
        if (saturated.empty())
            saturated = model::nameOf(order);
    }
    return saturated.empty() ? "linear" : saturated;
}

} // namespace quadric::design
