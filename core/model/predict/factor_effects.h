// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/effects.h"
#include "core/model/fit/fit.h"
#include "core/model/predict/predict.h"

namespace quadric::model {

/// A coded setting of one factor (categorical: index of the level).
struct FactorSetting {
    std::size_t factor = 0;
    double coded = 0.0;
};

/// What a term says about the response.
enum class EffectKind {
    Change,      ///< one factor, first power: from one end, or level, to another
    Interaction, ///< two factors: the change by one at two settings of the other
    Curve,       ///< a square: mid-range against the straight line between both ends
    Shape,       ///< one factor, higher power: where it rises and where it falls
    Joint,       ///< anything else
};

/// What the numbers of an effect do.
enum class Trend {
    Rises,
    Falls,
    Flat,     ///< no change
    Grows,    ///< the size of the change increases with the other factor
    Shrinks,  ///< it decreases
    Differs,  ///< the sizes at two levels of a category are not the same
    Same,     ///< both changes are within 1 %
    Reverses, ///< the changes have opposite signs
    BendsUp,  ///< mid-range is below the line between the ends
    BendsDown,
    Straight,
};

/// The response at two settings of a factor.
struct SimpleEffect {
    double from = 0.0, to = 0.0;
    double change() const { return to - from; }
};

/// One sentence's worth of facts: everything is computed from predictions on the response's own scale.
struct EffectFacts {
    EffectKind kind = EffectKind::Joint;
    Trend trend = Trend::Flat;
    std::size_t factor = 0, other = 0; ///< the factor that is moved; of an interaction the one that modifies
    double low = -1.0, high = 1.0;     ///< coded settings between which `factor` is moved
    double otherLow = -1.0, otherHigh = 1.0; ///< of an interaction; levels: least and greatest change
    std::vector<SimpleEffect> effects;       ///< one; of an interaction at otherLow and at otherHigh
    double middle = 0.0;                     ///< of a curve: the response at mid-range (coded 0)
    std::vector<FactorSetting> turns;        ///< of a shape: where rising and falling change, ends included
    std::vector<double> turnValues;          ///< the response there
    bool isOwnScale = true; ///< false: the transform cannot be inverted there, values are on its scale
};

/// The facts about a term of the fit that is not the intercept. Of a category the levels with the lowest and
/// the highest response are compared (of two levels the first with the second); an interaction is read as the
/// change by its numeric factor, the first of two.
EffectFacts findEffectFacts(const Fit& fit, const Term& term);

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
