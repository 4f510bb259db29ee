// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

namespace quadric::model {

/// Lenth (1989) for effects without an estimate of the error: pseudo standard error, margin of error and
/// simultaneous margin of error; degrees of freedom of the first, a third of the effects.
struct Lenth {
    double pseudoStandardError = 0.0, marginOfError = 0.0, simultaneous = 0.0, df = 0.0;
};

/// `sizes` are |effects| in any order. Empty with fewer than three, or when the smaller half is 0.
std::optional<Lenth> lenthOf(std::vector<double> sizes, double confidence);

} // namespace quadric::model
