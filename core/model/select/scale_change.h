// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Root mean squared error for settings left out, response's own unit, on the scales before and after a
/// change: both of models whose terms are reduced by AICc, or both of straight lines where these leave a
/// setting that alone decides a coefficient. Empty where there is no model, or that is so of them, too.
struct ScaleChange {
    std::string response, unit;
    std::optional<double> before, after;
};

/// What other factor scales do to the models of all responses, each with the transform that its study has.
/// Both studies have the same responses.
std::vector<ScaleChange> compareScales(const study::Study& before, const study::Study& after);

} // namespace quadric::model
