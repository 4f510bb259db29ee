// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/predict/factor_effects.h"

namespace quadric::report {

/// The facts about an effect as a sentence without its full stop: "Moving A from −1 to 1 lowers y by 5.9,
/// other factors at their center".
std::string describeEffect(const model::Fit& fit, const model::EffectFacts& facts);

/// The analysis of variance in sentences: whether the model is significant, which groups of terms are, and
/// lack of fit. A fit that is not Ok: its message.
std::vector<std::string> readAnova(const model::Fit& fit);

/// The coefficients in sentences, the largest effect first: what significant factors and interactions do to
/// the response, then the other significant terms, those that are not, and the aliased ones. A fit that is
/// not Ok: its message.
std::vector<std::string> readCoefficients(const model::Fit& fit);

} // namespace quadric::report
