// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/term.h"

namespace quadric::model {

/// A coefficient times powers of numeric factors' actual values (their log2 on that scale) and sum-to-zero
/// contrasts of categorical ones: `contrast` has the level, −1 elsewhere.
struct ActualTerm {
    std::vector<int> powers;
    std::vector<int> contrast;
    double estimate = 0.0;
};

/// A polynomial of coded factors, multiplied out into actual units. The terms of `columns` come first, in
/// their order.
std::vector<ActualTerm> actualPolynomial(const std::vector<Column>& columns, const Eigen::VectorXd& beta,
                                         const std::vector<study::Factor>& factors);

} // namespace quadric::model
