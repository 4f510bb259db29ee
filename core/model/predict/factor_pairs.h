// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/effect_ranking.h"

namespace quadric::model {

/// How strongly two factors of a model interact.
struct FactorPair {
    std::size_t first = 0, second = 0; ///< factors by their index, the lower one first
    /// RankedEffect::size of the largest effect that both take part in; 0 where the model has none.
    double size = 0.0;
    Significance significance = Significance::None; ///< of that effect
    bool isSignificant() const { return significance != Significance::None; }
};

/// All pairs of the factors of a fit, the strongest interaction first; equals in the factors' order.
std::vector<FactorPair> rankPairs(const Fit& fit);

/// Those pairs, at most `most`, that a picture shows where none is asked for: all of them where they are so
/// few, otherwise the significant ones, and without one of these the strongest.
std::vector<FactorPair> pairsToShow(const Fit& fit, std::size_t most);

} // namespace quadric::model
