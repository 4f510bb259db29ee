// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/term.h"
#include "core/model/fit/observations.h"

namespace quadric::model {

/// Terms chosen one after the other where the runs cannot estimate all of them at once.
struct StepwiseChoice {
    std::vector<Term> terms;          ///< intercept first, in the order in which they were chosen
    std::optional<double> aicc;       ///< of the model with them
    std::optional<double> aiccOfMean; ///< of the intercept (and blocks) alone
    /// Sentences like "A*B cannot be told from C*D by these runs.", for chosen terms of two factors and
    /// squares.
    std::vector<std::string> aliases;
};

/// Forward and backward choice by AICc from the mean, over `candidates` (the intercept among them): each step
/// adds the term, with the parents that hierarchy asks for, or leaves out the term without children that
/// lowers AICc most, until none does (Hurvich & Tsai 1989; strong heredity: Chipman 1996). A term whose
/// columns the present ones explain is not added. `data` has at least one run.
StepwiseChoice chooseStepwise(const Observations& data, const std::vector<study::Factor>& factors,
                              const std::vector<Term>& candidates);

} // namespace quadric::model
