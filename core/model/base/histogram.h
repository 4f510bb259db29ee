// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace quadric::model {

/// How many values lie in each of several bins of equal width.
struct Histogram {
    std::vector<double> edges; ///< ascending, one more than counts; a value on an edge counts to its right
    std::vector<int> counts;   ///< the last bin holds its right edge too
};

/// Bins at round values, their number about 1 + log2(n) (Sturges 1926). Values that are not finite are left
/// out; without any other the histogram is empty, and equal values share one bin.
Histogram histogram(const std::vector<double>& values);

} // namespace quadric::model
