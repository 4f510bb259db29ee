// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/regression.h"

namespace quadric::model {

/// One term left out, and AICc of the model before it (empty where that is not defined: n ≤ p + 2).
struct ReductionStep {
    std::string term;
    std::optional<double> aiccBefore;
};

struct Reduction {
    std::vector<Term> terms;          ///< what is left, intercept first
    std::vector<ReductionStep> steps; ///< in the order in which the terms were left out
    std::optional<double> aicc;       ///< of what is left
    ErrorModelTerms start;            ///< the model before any term was left out
};

/// Backward elimination by AICc inside the hierarchy: of the terms that are no parent of another one, the one
/// whose loss lowers AICc most is left out, until none does. While AICc is not defined (too many
/// coefficients) the term with the smallest partial mean square goes. A model that fits the runs exactly with
/// an error left over is reduced by no term that changes that.
Reduction reduceByAicc(const Observations& data, const std::vector<study::Factor>& factors,
                       const std::vector<Term>& terms);

/// Backward elimination from the highest order that the runs can estimate with an error left over. Where that
/// is not the highest order of all (screening designs), terms of that are chosen one by one
/// (model_candidates.h), too, and the model with the lower AICc is taken.
struct AutomaticModel {
    std::vector<Term> terms;
    std::string name;   ///< an order's name where the terms are exactly its terms, else a formula
    std::string reason; ///< what was done, in words
    /// The largest model that the terms were chosen from; empty where none leaves an error.
    std::optional<ErrorModelTerms> chosenFrom;
};
AutomaticModel chooseModel(const Observations& data, const std::vector<study::Factor>& factors);

/// "quadratic" where the terms are exactly those of an order, else "A + B + A*B".
std::string formulaOf(const std::vector<Term>& terms, const std::vector<study::Factor>& factors);

} // namespace quadric::model
