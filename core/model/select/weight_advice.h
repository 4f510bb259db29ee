// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Whether the runs are predicted better where each counts by its spread (study::Weights::Spread).
struct WeightAdvice {
    bool isRecommended = false;
    bool isUsed = false;                   ///< the fit has these weights
    double gain = 0.0;                     ///< of the log score, weighted less equal
    double lightest = 1.0, heaviest = 1.0; ///< weights of runs
    /// Standard errors inside the runs, smallest and largest, model's scale.
    double smallestError = 0.0, largestError = 0.0;

    bool isHarmful() const { return isUsed && isWorthwhile(-gain); }
    /// Whether a gain is more than chance makes of spreads that tell nothing.
    static bool isWorthwhile(double gain);
};

/// Compares the same terms with both kinds of weights by the log score of runs left out: the logarithm of the
/// density that the other runs predict for each, a t distribution (Gneiting & Raftery 2007). Equal and
/// useless spreads gain nothing, so that 2 natural units are asked for. Empty where runs have no spread, or
/// where too few degrees of freedom are left.
std::optional<WeightAdvice> adviseWeights(const Fit& fit);

/// What the response is to be fitted with: the weights that it has, unless the others predict its model
/// better.
study::Weights recommendedWeights(const study::Study& study, std::string_view response);

} // namespace quadric::model
