// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <functional>
#include <limits>
#include <vector>

namespace quadric::model {

/// A function of parameters with its gradient; −infinity where it cannot be computed.
using SmoothFunction = std::function<double(const Eigen::VectorXd& at, Eigen::VectorXd& gradient)>;

struct Maximum {
    Eigen::VectorXd at;
    double value = -std::numeric_limits<double>::infinity();
};

/// The best of the maxima reached from several points, each no farther than `reach` from `center` along any
/// axis (limited-memory BFGS: Nocedal 1980, by NLopt).
Maximum maximize(const SmoothFunction& function, const std::vector<Eigen::VectorXd>& starts,
                 const Eigen::VectorXd& center, const Eigen::VectorXd& reach);

} // namespace quadric::model
