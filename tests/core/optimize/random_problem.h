// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fixtures.h"

#include <random>

namespace quadric::optimize {

/// The same on every machine, unlike std::uniform_real_distribution.
inline double uniform(std::mt19937_64& generator, double low, double high)
{
    return low + (high - low) * static_cast<double>(generator() >> 11) * 0x1p-53;
}

/// Which factors a random problem has.
enum class FactorMix { Continuous, Mixed, Listed };

/// A factor without a name whose legal values can be listed: integers (up to `mostIntegers` + 3 of them),
/// levels, multiples or categories.
template <typename Generator> study::Factor listedFactor(Generator& generator, unsigned mostIntegers)
{
    study::Factor factor;
    switch (generator() % 4) {
    case 0:
        factor.type = study::FactorType::Integer;
        factor.low = 1;
        factor.high = 4 + static_cast<double>(generator() % mostIntegers);
        factor.scale = generator() % 2 ? study::Scale::Log2 : study::Scale::Linear;
        break;
    case 1:
        factor.type = study::FactorType::Discrete;
        factor.levels = {1, 4, 25, 100};
        factor.low = 1;
        factor.high = 100;
        factor.scale = study::Scale::Log2;
        break;
    case 2:
        factor.type = study::FactorType::Categorical;
        factor.categories = {"fp32", "tf32", "bf16"};
        break;
    default:
        factor.type = study::FactorType::Integer;
        factor.low = 8;
        factor.high = 64;
        factor.multipleOf = 8;
    }
    return factor;
}

/// 2–6 factors and 1–5 quadratic responses with random coefficients, all goals, weights, exponents and
/// limits; about every third problem has one or two constraints.
Fitted randomProblem(std::mt19937_64& generator, FactorMix mix);

/// A lower bound of the best overall desirability that knows nothing of the engine: a dense grid (every
/// legal setting where factors are listed and few enough), then shrinking random steps from its best points.
double bestByGrid(const Fitted& fitted, std::mt19937_64& generator);

/// How many legal settings there are; 0 with a continuous factor or too many to visit.
std::size_t countSettings(const study::Study& study);

} // namespace quadric::optimize
