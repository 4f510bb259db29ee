// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// The model as a function of the numeric factors alone, ŷ = c + b'x + x'Bx on the model's (transformed)
/// scale, categorical factors held.
struct SecondOrder {
    std::vector<std::size_t> factors; ///< positions of the numeric factors in the study
    double constant = 0.0;
    Eigen::VectorXd b;
    Eigen::MatrixXd B;
    bool isSecondOrder = true; ///< false: terms of third or higher degree are left out
};

SecondOrder secondOrderOf(const Fit& fit, const study::CodedPoint& at);

/// An inverse transform that falls turns a maximum of the model into a minimum of the response.
bool isFalling(const study::Transform& transform);

} // namespace quadric::model
