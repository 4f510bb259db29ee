// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/leverage_limit.h"

#include "core/model/predict/predictor.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

/// Slack for rounding, relative to the limit: the runs themselves are inside.
constexpr double kSlack = 1e-9;

bool isSameModel(const model::Fit& a, const model::Fit& b)
{
    return a.terms == b.terms && a.unscaledCovariance.rows() == b.unscaledCovariance.rows() &&
           a.unscaledCovariance == b.unscaledCovariance && a.seenLevels == b.seenLevels;
}

bool isSeen(const model::Fit& fit, const Eigen::VectorXd& x)
{
    for (std::size_t i = 0; i < fit.seenLevels.size(); ++i) {
        if (!fit.seenLevels[i].empty() &&
            !fit.seenLevels[i][static_cast<std::size_t>(x[static_cast<Eigen::Index>(i)])])
            return false;
    }
    return true;
}

} // namespace

LeverageLimit::LeverageLimit(const std::vector<model::Fit>& fits, std::optional<double> largest)
{
    for (const model::Fit& fit : fits) {
        if (!fit.isOk() || fit.n == 0)
            continue;
        if (fit.predictor) {
            m_models.push_back({&fit, 0.0});
            continue;
        }
        const double own = std::min(fit.maxLeverage, 3.0 * fit.parameters / fit.n);
        const Model entry{&fit, largest.value_or(own)};
        const bool isKnown = std::any_of(m_models.begin(), m_models.end(), [&](const Model& other) {
            return !other.fit->predictor && other.limit == entry.limit && isSameModel(*other.fit, fit);
        });
        if (!isKnown)
            m_models.push_back(entry);
    }
}

double LeverageLimit::margin(const Eigen::VectorXd& x) const
{
    double smallest = 1.0;
    const study::CodedPoint point(x);
    for (const Model& entry : m_models) {
        const model::Fit& fit = *entry.fit;
        if (!isSeen(fit, x) || (fit.predictor && fit.predictor->isOutside(x)))
            return -1.0;
        if (fit.predictor)
            continue;
        const Eigen::VectorXd row = model::rowAt(fit.columns, point, fit.factors);
        const double leverage = row.dot(fit.unscaledCovariance * row);
        smallest = std::min(smallest, 1.0 + kSlack - leverage / entry.limit);
    }
    return smallest;
}

} // namespace quadric::optimize
