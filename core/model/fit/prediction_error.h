// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

struct Regression;

/// A model from which the error of predictions is computed, on the transformed scale.
struct ErrorModelTerms {
    std::vector<Column> columns; ///< blocks not among them
    Eigen::VectorXd beta;
    Eigen::MatrixXd unscaledCovariance; ///< (X'X)⁻¹ of `columns`
    double sigma = 0.0;
    int df = 0; ///< degrees of freedom of sigma
};

/// Coefficients, covariance and error of a solved regression.
ErrorModelTerms makeErrorModel(const Regression& regression);

/// The standard error of every prediction, ŷ ± t(df) σ √h with h from this model. A model that was given has
/// its own. One that was chosen by the same runs has the columns of the largest model that the terms were
/// chosen from, so that leaving a term out does not narrow the interval, and the larger of both residual
/// standard deviations: that of the large model is not reduced by the choice (Leeb & Pötscher 2005; Berk et
/// al. 2013), that of the chosen one contains terms that were left out wrongly.
class PredictionError {
public:
    /// `fit` is Ok and stays alive as long as this.
    explicit PredictionError(const Fit& fit);

    double sigma() const { return m_sigma; }
    int df() const { return m_df; }
    const std::vector<Column>& columns() const { return *m_columns; }
    /// Coefficients of columns(): of the model that was chosen from where terms were chosen.
    const Eigen::VectorXd& beta() const { return *m_beta; }
    const Eigen::MatrixXd& unscaledCovariance() const { return *m_covariance; }

    /// Row of columns() at a coded point.
    Eigen::VectorXd rowAt(const study::CodedPoint& point) const;

    /// Variance of the mean there over σ².
    double varianceFactorAt(const study::CodedPoint& point) const;

private:
    const std::vector<study::Factor>* m_factors;
    const std::vector<Column>* m_columns;
    const Eigen::VectorXd* m_beta;
    const Eigen::MatrixXd* m_covariance;
    double m_sigma;
    int m_df;
};

/// Variance of a single run about the model in the average block, on the model's scale; where runs are
/// weighted the mean of that of the runs.
double varianceOfNewRun(const Fit& fit);

/// How far the mean of new runs is from what the model predicts.
struct NewRunError {
    double variance = 0.0; ///< model's scale
    double df = 0.0;

    /// Of the interval with this confidence, model's scale.
    double halfWidth(double confidence) const;
};

/// Of `runs` m new runs in the average block: σ²(1/m + h), `leverage` h of the model of the error
/// (PredictionError::varianceFactorAt).
NewRunError computeAverageBlockError(const Fit& fit, double leverage, int runs);

} // namespace quadric::model
