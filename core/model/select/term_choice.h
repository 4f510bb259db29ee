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

/// Per term of the fit: the main effects, two-factor interactions and squares outside the model that are in
/// its estimate with a weight of at least 0.95 (with either sign) by the alias matrix (X'X)⁻¹X'Z (Box &
/// Wilson 1951). Empty lists where the runs can estimate all of them: leaving a term out was then a choice.
std::vector<std::vector<Term>> findTermAliases(const Fit& fit);

} // namespace quadric::model
