// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <random>
#include <vector>

namespace quadric::trainer::testing {

/// Numbers around `mean` with a standard deviation of 1.
inline std::vector<float> normalNumbers(std::size_t count, float mean, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(mean, 1.0F);
    std::vector<float> values(count);
    for (float& value : values)
        value = normal(random);
    return values;
}

} // namespace quadric::trainer::testing
