// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/effects.h"
#include "core/model/fit/fit.h"
#include "core/model/predict/predict.h"

namespace quadric::model {

/// The response at two settings of a factor.
struct SimpleEffect {
    double from = 0.0, to = 0.0;
    double change() const { return to - from; }
};

/// What a factor does to the response between two settings, the other factors at their center, or with one
/// other factor at either of two settings. From predictions on the response's own scale.
struct EffectFacts {
    std::size_t factor = 0, other = 0; ///< equal where no other factor is set
    double low = -1.0, high = 1.0;     ///< coded settings between which `factor` is moved
    double otherLow = -1.0, otherHigh = 1.0;
    std::vector<SimpleEffect> effects; ///< one; of an interaction at otherLow and at otherHigh

    bool isInteraction() const { return factor != other; }
};

/// The facts about a factor or an interaction of two; empty for other terms, and where the transform of the
/// response cannot be inverted. Of a category the levels with the lowest and the highest response are
/// compared (of two levels the first with the second); an interaction is read as the change by its numeric
/// factor, the first of two, at both ends of the other or at the levels with the least and the greatest
/// change.
std::optional<EffectFacts> findEffectFacts(const Fit& fit, const Term& term);

/// Why the runs do not tell such an effect and which runs would, as a sentence; empty where they do.
std::string describeUnknownEffect(const Fit& fit, const EffectFacts& facts);

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
