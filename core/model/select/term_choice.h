// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/term.h"

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

} // namespace quadric::model
