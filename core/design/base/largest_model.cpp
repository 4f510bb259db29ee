// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/largest_model.h"

#include "core/design/base/information.h"

namespace quadric::design {

std::string largestModel(const study::Study& study)
{
    if (!study.design.model.empty() && study.design.type.ends_with("-optimal"))
        return study.design.model;
    std::string saturated;
    for (const char* model : {"quadratic", "interactions", "linear"}) {
        const Information information = informationOf(study, model);
        if (!information.leftOut.empty())
            continue;
        if (information.dfResidual() > 0)
            return model;
        if (saturated.empty())
            saturated = model;
    }
    return saturated.empty() ? "linear" : saturated;
}

} // namespace quadric::design
