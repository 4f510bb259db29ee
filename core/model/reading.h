// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"

namespace quadric::model {

/// The analysis of variance in sentences: whether the factors explain the response, which groups of terms
/// matter, whether the model misses something.
std::vector<std::string> readAnova(const Fit& fit);

/// The model as a whole is tested, and its p is not below 0.05. readAnova() says it in its first sentence.
bool explainsNoMoreThanChance(const Fit& fit);

/// The coefficient table in sentences, largest effect first: what each significant term does to the response
/// from low to high, which factors have no visible effect.
std::vector<std::string> readCoefficients(const Fit& fit);

} // namespace quadric::model
