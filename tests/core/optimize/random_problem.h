// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fixtures.h"

#include <random>

namespace quadric::optimize {

/// Which factors a random problem has.
enum class FactorMix { Continuous, Mixed, Listed };

/// 2–6 factors and 1–5 quadratic responses with random coefficients, all goals, weights, exponents and
/// limits; about every third problem has one or two constraints.
Fitted randomProblem(std::mt19937_64& generator, FactorMix mix);

/// A lower bound of the best overall desirability that knows nothing of the engine: a dense grid (every
/// legal setting where factors are listed and few enough), then shrinking random steps from its best points.
double bestByGrid(const Fitted& fitted, std::mt19937_64& generator);

/// How many legal settings there are; 0 with a continuous factor or too many to visit.
std::size_t countSettings(const study::Study& study);

} // namespace quadric::optimize
