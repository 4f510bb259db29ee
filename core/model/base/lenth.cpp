// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/lenth.h"
#include "core/model/base/distributions.h"
#include "core/study/median.h"

#include <cmath>

namespace quadric::model {

namespace {

/// Fewest effects from which a pseudo standard error is taken.
constexpr std::size_t kFewestEffects = 3;

/// 1.5 × the median of the sizes below 2.5 s₀, s₀ = 1.5 × the median.
double pseudoStandardError(std::vector<double> sizes)
{
    const double limit = 2.5 * 1.5 * study::computeMedian(sizes);
    std::erase_if(sizes, [&](double size) { return size >= limit; });
    return sizes.empty() ? 0.0 : 1.5 * study::computeMedian(std::move(sizes));
}

} // namespace

std::optional<Lenth> lenthOf(std::vector<double> sizes, double confidence)
{
    const double m = static_cast<double>(sizes.size());
    const double pse = sizes.size() < kFewestEffects ? 0.0 : pseudoStandardError(std::move(sizes));
    if (pse <= 0)
        return std::nullopt;
    return Lenth{pse, tLimit(1 - confidence, m / 3) * pse,
                 tLimit(1 - std::pow(confidence, 1 / m), m / 3) * pse, m / 3};
}

} // namespace quadric::model
