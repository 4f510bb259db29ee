// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/maximize.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace quadric::model {

namespace {

constexpr int kMostSteps = 60;
constexpr double kSmallGain = 1e-5; ///< of a log likelihood
constexpr double kWorst = -1e12;    ///< NLopt asks for finite values

struct Climb {
    const SmoothFunction* function = nullptr;
    Maximum best = {};
};

double valueFor(unsigned size, const double* at, double* gradient, void* data)
{
    auto& climb = *static_cast<Climb*>(data);
    const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(at, size);
    Eigen::VectorXd slopes = Eigen::VectorXd::Zero(x.size());
    double value = (*climb.function)(x, slopes);
    if (!std::isfinite(value) || !slopes.allFinite()) {
        value = kWorst;
        slopes.setZero();
    }
    if (gradient != nullptr)
        Eigen::Map<Eigen::VectorXd>(gradient, size) = slopes;
    if (value > climb.best.value)
        climb.best = {x, value};
    return value;
}

} // namespace

Maximum maximize(const SmoothFunction& function, const std::vector<Eigen::VectorXd>& starts,
                 const Eigen::VectorXd& center, const Eigen::VectorXd& reach)
{
    const Eigen::VectorXd low = center - reach;
    const Eigen::VectorXd high = center + reach;
    Climb climb{&function};
    for (const Eigen::VectorXd& start : starts) {
        const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> solver(
            nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(center.size())), &nlopt_destroy);
        nlopt_set_max_objective(solver.get(), &valueFor, &climb);
        nlopt_set_lower_bounds(solver.get(), low.data());
        nlopt_set_upper_bounds(solver.get(), high.data());
        nlopt_set_maxeval(solver.get(), kMostSteps);
        nlopt_set_ftol_abs(solver.get(), kSmallGain);
        Eigen::VectorXd x = start.cwiseMax(low).cwiseMin(high);
        double value = 0.0;
        // Whatever it ends with, the best point that was looked at counts.
        nlopt_optimize(solver.get(), x.data(), &value);
    }
    return climb.best;
}

} // namespace quadric::model
