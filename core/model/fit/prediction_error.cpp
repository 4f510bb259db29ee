// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/prediction_error.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

ErrorModelTerms makeErrorModel(const Regression& regression)
{
    std::vector<Eigen::Index> positions;
    for (std::size_t j = 0; j < regression.columns.size(); ++j)
        positions.push_back(regression.positionOf(j));
    return {regression.columns, regression.solution.beta(positions),
            regression.solution.covariance(positions, positions),
            std::sqrt(regression.variance().value_or(0.0)), regression.df};
}

PredictionError::PredictionError(const Fit& fit)
    : m_factors(&fit.factors)
    , m_columns(&fit.columns)
    , m_beta(&fit.beta)
    , m_covariance(&fit.unscaledCovariance)
    , m_sigma(fit.sigma)
    , m_df(fit.dfResidual)
{
    if (fit.data == nullptr || !fit.data->chosenFrom)
        return;
    const ErrorModelTerms& candidates = *fit.data->chosenFrom;
    m_columns = &candidates.columns;
    m_beta = &candidates.beta;
    m_covariance = &candidates.unscaledCovariance;
    if (candidates.sigma >= m_sigma) {
        m_sigma = candidates.sigma;
        m_df = candidates.df;
    }
}

Eigen::VectorXd PredictionError::rowAt(const study::CodedPoint& point) const
{
    return model::rowAt(*m_columns, point, *m_factors);
}

double PredictionError::varianceFactorAt(const study::CodedPoint& point) const
{
    const Eigen::VectorXd row = rowAt(point);
    return std::max(row.dot(*m_covariance * row), 0.0);
}

double varianceOfNewRun(const Fit& fit)
{
    const double sigma = PredictionError(fit).sigma();
    return sigma * sigma * (fit.weighting ? fit.weighting->newRun : 1.0);
}

double NewRunError::halfWidth(double confidence) const
{
    return tLimit(1 - confidence, df) * std::sqrt(variance);
}

NewRunError computeAverageBlockError(const Fit& fit, double leverage, int runs)
{
    const PredictionError error(fit);
    const double ofModel = error.sigma() * error.sigma() * leverage;
    return {varianceOfNewRun(fit) / runs + ofModel, static_cast<double>(error.df())};
}

} // namespace quadric::model
