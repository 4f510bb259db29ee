// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/term.h"

#include <stdexcept>

/// How large a model may be, and how large it is before anything of it is built.

namespace quadric::model {

/// Coefficients of a model, blocks among them. A quadratic model of 53 factors has 1 485; evaluation and
/// covariance have a square matrix of this size, 18 MB, which is also printed.
inline constexpr double kMostCoefficients = 1'500;

/// Runs times squared coefficients: what solving takes, about a second. 4 000 runs may have 353 coefficients,
/// 40 000 runs 111.
inline constexpr double kMostWork = 5e8;

/// A model that is not built, with the reason and what to do in words.
class ModelTooLarge : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// Columns of all products of up to `degree` factors, squares of numeric factors and the intercept among
/// them; without building any.
double countColumns(int degree, const std::vector<study::Factor>& factors);

/// Columns of all terms of an order.
double countColumns(Order order, const std::vector<study::Factor>& factors);

/// Columns of these terms.
double countColumns(const std::vector<Term>& terms, const std::vector<study::Factor>& factors);

/// Why a model with so many columns, and so many columns for blocks, cannot be computed from so many runs;
/// empty where it can.
std::string describeExcess(std::string_view model, double columns, double blocks, double runs);

/// Throws ModelTooLarge where describeExcess() has a reason.
void requireSize(std::string_view model, double columns, double blocks, double runs);

/// The highest order whose model can be computed from so many runs in so many blocks; the mean where there is
/// none.
Order largestOrder(const std::vector<study::Factor>& factors, double blocks, double runs);

} // namespace quadric::model
