// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <Eigen/Core>

#include <vector>

namespace quadric::model {

/// Correlation of a smooth random surface between two settings, a product over the factors: Matérn 5/2
/// (Rasmussen & Williams 2006, 4.17) of the distance in coded units over a length scale for each numeric
/// factor, a number for each categorical factor whose levels differ. One parameter a factor: log of the
/// length scale, logit of the correlation between levels. Points are rows of coded values.
class Correlation {
public:
    Correlation() = default;
    explicit Correlation(const std::vector<study::Factor>& factors);

    /// As many as factors.
    Eigen::Index parameters() const { return static_cast<Eigen::Index>(m_isNumeric.size()); }
    bool isNumeric(Eigen::Index factor) const { return m_isNumeric[static_cast<std::size_t>(factor)]; }

    double between(const Eigen::VectorXd& a, const Eigen::VectorXd& b,
                   const Eigen::VectorXd& parameters) const;
    Eigen::VectorXd with(const Eigen::MatrixXd& points, const Eigen::VectorXd& x,
                         const Eigen::VectorXd& parameters) const;
    Eigen::MatrixXd matrix(const Eigen::MatrixXd& points, const Eigen::VectorXd& parameters) const;

    /// Σ over all pairs of points of weight × derivative of their correlation, by each parameter. `weights`
    /// is symmetric.
    Eigen::VectorXd slopes(const Eigen::MatrixXd& points, const Eigen::VectorXd& parameters,
                           const Eigen::MatrixXd& weights) const;

    /// What the parameters are taken to be before any run: normal with this mean and standard deviation each.
    Eigen::VectorXd priorMean() const;
    Eigen::VectorXd priorDeviation() const;

private:
    Eigen::ArrayXd scales(const Eigen::VectorXd& parameters) const;
    double at(const Eigen::ArrayXd& difference, const Eigen::ArrayXd& scales) const;

    std::vector<bool> m_isNumeric;
};

} // namespace quadric::model
