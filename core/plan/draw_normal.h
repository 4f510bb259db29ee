// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/random_draw.h"
#include "core/model/fit/distributions.h"

#include <algorithm>

namespace quadric::plan {

/// A standard normal value, by the inverse of its distribution; the same on every platform.
inline double drawNormal(design::RandomBits& generator)
{
    return model::normalQuantile(std::max(design::drawUnit(generator), 1e-15));
}

} // namespace quadric::plan
