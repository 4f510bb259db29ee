// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/factorizations.h"
#include "core/study/factor.h"

#include <Eigen/Core>

#include <optional>
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

/// Runs as a Gaussian process sees them.
struct KrigingData {
    Correlation correlation = {};
    Eigen::MatrixXd points = {}; ///< a row of coded settings for each run
    Eigen::MatrixXd trend = {};  ///< rows of the model matrix of the mean, of full rank
    Eigen::VectorXd values = {};
};

/// A process with given parameters, solved (universal kriging: Cressie 1993, 3.4): value = trend × β + a
/// surface of variance s² with this correlation + noise of variance g s². β by generalized least squares, s²
/// from the n − p degrees of freedom that are left.
class Kriging {
public:
    /// `parameters`: those of the correlation, then log g. Empty where the matrices cannot be factored.
    static std::optional<Kriging> solve(const KrigingData& data, const Eigen::VectorXd& parameters);

    const Eigen::VectorXd& parameters() const { return m_parameters; }
    const Eigen::VectorXd& beta() const { return m_beta; }
    double variance() const { return m_variance; } ///< s²
    double noise() const;                          ///< g
    int df() const { return m_df; }

    /// log of the restricted likelihood with s² at its best (Harville 1974), without constants.
    double logLikelihood() const;
    /// P = R⁻¹ − R⁻¹F(F'R⁻¹F)⁻¹F'R⁻¹, R correlations with noise, F the trend.
    Eigen::MatrixXd projection() const;

    double meanAt(const KrigingData& data, const Eigen::VectorXd& x, const Eigen::VectorXd& trendRow) const;
    struct Value {
        double mean = 0.0;
        double varianceFactor = 0.0; ///< of the surface's value there, without noise, over s²
    };
    Value at(const KrigingData& data, const Eigen::VectorXd& x, const Eigen::VectorXd& trendRow) const;

    /// Takes s² and its degrees of freedom from another solution, whose runs have told it.
    void keepVariance(const Kriging& other);

private:
    Eigen::VectorXd m_parameters;
    algebra::Cholesky m_factor;               ///< of R
    Eigen::MatrixXd m_solvedTrend;            ///< R⁻¹F
    algebra::Cholesky m_trendFactor;          ///< of F'R⁻¹F
    Eigen::VectorXd m_beta, m_solvedResidual; ///< R⁻¹(z − Fβ)
    double m_variance = 0.0;
    int m_df = 0;
};

/// The likeliest parameters given the runs and what is expected before (maximum a posteriori); empty where
/// nothing can be computed. `starts`: points to climb from, at least 1; `first` is one of them where given.
std::optional<Kriging> findKriging(const KrigingData& data, int starts, const Eigen::VectorXd& first = {});

/// Where the parameters may be beside the likeliest: steps of one standard deviation along the axes of their
/// distribution given the runs, taken as normal (Laplace's approximation), a column each.
Eigen::MatrixXd parameterSteps(const KrigingData& data, const Kriging& likeliest);

/// What each run's value is by all runs of other groups: closed form, β and s² estimated without them
/// (Dubrule 1983; groups: Ginsbourger & Schärer 2024).
struct LeftOut {
    Eigen::VectorXd residuals;  ///< value − prediction
    Eigen::VectorXd deviations; ///< standard deviation of each, noise included
    double logScore = 0.0;      ///< Σ over the groups of the log density of their values
};
LeftOut leaveOutGroups(const KrigingData& data, const Kriging& kriging, const std::vector<int>& groups);

} // namespace quadric::model
