// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/goals.h"

namespace quadric::optimize {

/// What a setting is worth, as the models predict it and as often as the results might have come out
/// otherwise: coefficients drawn from their normal distribution, and each draw divided by its own estimate of
/// the error. Of one response to maximize or minimize that is its prediction on the model's scale, larger
/// better; of several, or with a target, the overall desirability. Errors of responses with equal terms are
/// correlated as their residuals are, other ones independent.
class MeritDraws {
public:
    /// `goals` stay alive as long as the draws; each of them has residual degrees of freedom.
    MeritDraws(const Goals& goals, int draws, std::uint64_t seed);

    struct Values {
        double predicted = 0.0;
        std::vector<double> drawn;       ///< with the error that the fits estimate
        std::vector<double> studentized; ///< with the error that each draw would estimate
    };
    Values at(const Eigen::VectorXd& coded) const;
    double predictedAt(const Eigen::VectorXd& coded) const;

private:
    struct Member {
        const model::Fit* fit = nullptr;
        const Desirability* desirability = nullptr;
        Eigen::MatrixXd deviations;  ///< coefficients × draws
        std::vector<double> inflate; ///< per draw: estimated error over the one that the draw estimates
    };

    void correlate(std::vector<Eigen::MatrixXd>& normals) const;
    double worth(const std::vector<double>& z) const;

    std::vector<Member> m_members;
    double m_sign = 0.0; ///< of one response's own scale; 0: overall desirability
    int m_draws = 0;
};

} // namespace quadric::optimize
