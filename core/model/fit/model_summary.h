// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/observations.h"

namespace quadric::model {

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
    bool isSuggested = false;
};

/// The orders side by side. Orders that add no term to the one before are left out.
struct ModelSummary {
    std::vector<OrderSummary> orders; ///< mean first
    std::string message;              ///< why this order is suggested, or why there is no table
};

/// Compares mean, linear, interactions and quadratic on the transform of the response (or of the options).
/// Suggested is the order with the lowest AICc, by which "auto" chooses terms too, among those all of whose
/// terms can be estimated with an error left over; an order that fits exactly comes first, none where only
/// the mean can be compared. Orders that are too large to be computed (model_size.h) are left out.
ModelSummary compareOrders(const study::Study& study, std::string_view response,
                           const FitOptions& options = {});

/// The same for the runs and the transform of a fit, whatever its terms.
ModelSummary compareOrders(const Fit& fit);

/// The same for runs whose response is transformed already; at least one run.
ModelSummary compareOrders(const Observations& data, const std::vector<study::Factor>& factors,
                           double rankTolerance);

} // namespace quadric::model
