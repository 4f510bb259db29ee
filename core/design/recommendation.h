// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/offers.h"

namespace quadric::design {

/// Marks the offer that suits the study best and says why, by the usual advice (MMA 8, Montgomery 14):
/// screening designs for six factors and more, response surface designs for two to five numeric ones,
/// factorials where nothing is numeric, optimal designs where constraints or levels leave nothing else. No
/// mark where nothing is possible.
void recommend(const study::Study& study, std::vector<DesignOffer>& offers);

} // namespace quadric::design
