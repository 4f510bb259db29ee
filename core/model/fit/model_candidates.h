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

/// How well the model of one order describes the runs. Empty where the runs cannot give the figure.
struct OrderSummary {
    Order order = Order::Mean;
    std::string name;                 ///< "mean", "linear", "interactions", "quadratic"
    std::vector<std::string> aliased; ///< terms of this order that the runs cannot tell from others
    int parameters = 0;               ///< coefficients estimated, intercept and blocks included
    int dfResidual = 0;
    std::optional<double> sequentialP; ///< of the group of terms that this order adds
    std::optional<double> lackOfFitP;
    std::optional<double> sigma, r2, r2Adjusted, r2Predicted, press, aicc;
};

/// Compares mean (the first), linear, interactions and quadratic for the runs and the transform of a fit,
/// whatever its terms. Orders that add no term to the one before, or are too large to be computed
/// (model_size.h), are left out. Empty for a fit that is not Ok.
std::vector<OrderSummary> compareOrders(const Fit& fit);

/// The same for runs whose response is transformed already; at least one run.
std::vector<OrderSummary> compareOrders(const Observations& data, const std::vector<study::Factor>& factors);

} // namespace quadric::model
