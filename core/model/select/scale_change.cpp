// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/scale_change.h"

#include "core/model/select/recommended_models.h"
#include "core/model/select/scale_decision.h"

#include <tuple>

namespace quadric::model {

namespace {

ScaleCandidate candidateFor(const Fit& fit, const std::vector<study::Factor>& factors)
{
    ScaleCandidate candidate;
    candidate.transform = fit.transform;
    for (const study::Factor& factor : factors)
        candidate.isLog2.push_back(factor.isNumeric() && factor.scale == study::Scale::Log2);
    return candidate;
}

} // namespace

std::vector<ScaleChange> compareScales(const study::Study& before, const study::Study& after)
{
    const std::vector<Fit> then = fitByDefault(before), now = fitByDefault(after);
    std::vector<ScaleChange> changes;
    for (std::size_t i = 0; i < before.responses.size(); ++i) {
        ScaleChange& change = changes.emplace_back();
        change.response = before.responses[i].name;
        change.unit = before.responses[i].unit;
        if (then[i].isOk() && now[i].isOk())
            std::tie(change.before, change.after) =
                compareErrors(scaleSettingOf(then[i]), candidateFor(then[i], before.factors),
                              candidateFor(now[i], after.factors), then[i]);
    }
    return changes;
}

} // namespace quadric::model
