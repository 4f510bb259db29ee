// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/term.h"
#include "core/model/fit/fit.h"

#include <span>

namespace quadric::model {

/// Terms that a model can be made of: the full quadratic, or the highest order that can be computed, and what
/// else the model has already.
std::vector<Term> choosableTerms(std::span<const Term> terms, const std::vector<study::Factor>& factors);

/// The model with this term and the parents that hierarchy asks for; the model as it is where it would be too
/// large then (model_size.h).
std::vector<Term> withTerm(std::span<const Term> terms, const Term& term,
                           const std::vector<study::Factor>& factors);

/// The model without this term and without the terms that contain it. The intercept stays.
std::vector<Term> withoutTerm(std::span<const Term> terms, const Term& term);

/// Terms outside a model that add to the estimate of one of its terms.
struct TermAliases {
    std::vector<Term>
        whole;       ///< with a weight of at least 0.95 (with either sign): the estimate is the sum of both
    int partial = 0; ///< how many with a smaller weight, at least 0.1
};

/// Per term of the fit: the main effects, two-factor interactions and squares outside the model that the runs
/// cannot estimate beside it, by the alias matrix (X'X)⁻¹X'Z (Box & Wilson 1951). Empty lists where the runs
/// can estimate all of them: leaving a term out was then a choice.
std::vector<TermAliases> findTermAliases(const Fit& fit);

/// One choice of scales: a transform of the response and, per factor, log2 or linear coding.
struct ScaleCandidate {
    study::Transform transform;
    std::vector<bool> isLog2;    ///< per factor of the study; categorical factors: false
    double aicc = 0.0;           ///< of the first-order model, in the response's own unit (Jacobian included)
    std::optional<double> error; ///< √(mean squared error) for settings left out, response's own unit
};

/// Scales for one response, compared by how well straight lines do on them (the principle of Box & Cox 1964
/// and Box & Tidwell 1962: the best scale is the one on which the simplest model is enough).
struct Recommendation {
    bool isRecommended = false;             ///< other scales than the present ones are clearly better
    study::Transform transform;             ///< the best, or the present one
    std::vector<bool> isLog2;               ///< the same for the factors
    std::vector<std::string> log2Factors;   ///< factors to be coded on log2 that are not now
    std::vector<std::string> linearFactors; ///< factors to be coded linearly that are on log2 now
    std::optional<double>
        presentError; ///< of the present scales with terms reduced by AICc: settings left out
    std::optional<double> recommendedError; ///< the same for the recommended ones, response's own unit
    std::vector<ScaleCandidate> candidates; ///< best first
    std::string message;                    ///< the recommendation, or why there is none, in words
};

/// The one recommendation of scales, weighed by what compares scales and by the Box–Cox interval of the terms
/// of the fit:
/// - none, log, sqrt and inverse of the response (where its values allow them) are compared with log2 and
/// linear coding of every numeric factor whose values are all positive. The best
///   (among candidates within 2 of it, log and log2 come first) is recommended where it lowers the AICc of
///   the first-order model by more than 10 against the present scales (next to no support for them: Burnham &
///   Anderson 2002) and predicts settings left out better in the response's own unit, both models reduced by
///   AICc; where only the response's transform would change, the interval must exclude the present one;
/// - otherwise likeliestTransform() is recommended where the interval excludes the present transform;
/// - otherwise the present scales stay.
Recommendation recommendScales(const Fit& fit);

/// The same over the transforms alone, with the factors on the scales that they have.
Recommendation recommendTransform(const Fit& fit);

/// The study with the recommended scales: transform of the response, scale of the factors. Settings and
/// results stay as they are.
study::Study withScales(study::Study study, std::string_view response, const Recommendation& recommendation);

} // namespace quadric::model
