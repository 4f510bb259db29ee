// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/regression.h"
#include "core/optimize/merit/desirability.h"

namespace quadric::optimize {

/// The models of a compromise as they would be after more runs whose results are the predictions:
/// coefficients as they are, covariance with the runs added.
class FantasyModels {
public:
    /// `goals` stays alive as long as the models.
    explicit FantasyModels(const Goals& goals);

    std::size_t count() const { return m_models.size(); }
    const model::Fit& fit(std::size_t i) const { return *m_models[i].fit; }
    const Desirability& desirability(std::size_t i) const { return *m_models[i].desirability; }

    /// Prediction on the scale of the model.
    double meanAt(std::size_t i, const Eigen::VectorXd& x) const;

    /// Row of the model matrix of the error at a coded point.
    Eigen::VectorXd rowAt(std::size_t i, const Eigen::VectorXd& x) const;

    /// Variance of the mean there over σ², the leverage.
    double leverage(std::size_t i, const Eigen::VectorXd& row) const;

    const model::PredictionError& error(std::size_t i) const { return m_models[i].error; }

    const Eigen::MatrixXd& covariance(std::size_t i) const { return m_models[i].covariance; }

    /// Adds a run at x to all models.
    void add(const Eigen::VectorXd& x);

private:
    void addModel(const model::Fit& fit, const Desirability& desirability);

    struct Model {
        const model::Fit* fit = nullptr;
        const Desirability* desirability = nullptr;
        model::PredictionError error;
        Eigen::MatrixXd covariance; ///< over σ²
    };
    std::vector<Model> m_models;
};

/// Expected gain of overall desirability over `best` where a run reveals the true means at a point.
class ExpectedImprovement {
public:
    ExpectedImprovement(const FantasyModels& models, double best, std::uint64_t seed);

    double operator()(const Eigen::VectorXd& x) const;

private:
    const FantasyModels& m_models;
    double m_best;
    Eigen::MatrixXd m_draws; ///< samples × responses, each of its t distribution
};

/// Share of the prediction variance, averaged over given points, that a run at a point takes away.
class VarianceReduction {
public:
    VarianceReduction(const FantasyModels& models, const std::vector<Eigen::VectorXd>& points);

    double operator()(const Eigen::VectorXd& x) const;

private:
    const FantasyModels& m_models;
    std::vector<Eigen::MatrixXd> m_moments; ///< mean of row row' over the points, by model
};

} // namespace quadric::optimize
