// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/simple_effects.h"

namespace quadric::report {

/// The facts about a term as a sentence without its full stop: "Moving A from −1 to 1 lowers y by 5.9, other
/// factors at their center".
std::string describeEffect(const model::Fit& fit, const model::Term& term, const model::EffectFacts& facts);

} // namespace quadric::report
