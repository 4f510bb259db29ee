// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/prediction_variance.h"

#include "core/algebra/products.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

/// Points that are looked at together, so that their columns stay in the cache.
constexpr Eigen::Index kChunk = 256;

/// Entries of a covariance below this share of the geometric mean of their variances are rounding.
constexpr double kNoCovariance = 1e-13;

/// Up to this share of entries that are not zero it is quicker to visit them one by one.
constexpr double kSparse = 0.3;

} // namespace

ColumnTable::ColumnTable(const std::vector<model::Column>& columns, const std::vector<study::Factor>& factors)
{
    for (const model::Column& column : columns) {
        std::vector<Part> parts;
        for (std::size_t i = 0; i < factors.size(); ++i) {
            if (column.term.powers[i] > 0)
                parts.push_back({static_cast<Eigen::Index>(i), column.term.powers[i], column.contrast[i],
                                 static_cast<int>(factors[i].categories.size()) - 1});
        }
        m_products.push_back(std::move(parts));
    }
}

void ColumnTable::multiply(const Part& part, const Eigen::Ref<const Eigen::MatrixXd>& points,
                           Eigen::Ref<Eigen::ArrayXd> column) const
{
    const auto values = points.col(part.factor).array();
    if (part.contrast < 0) {
        for (int power = 0; power < part.power; ++power)
            column *= values;
        return;
    }
    for (Eigen::Index i = 0; i < column.size(); ++i) {
        const int level = static_cast<int>(std::lround(values[i]));
        column[i] *= level == part.contrast ? 1.0 : level == part.lastLevel ? -1.0 : 0.0;
    }
}

Eigen::MatrixXd ColumnTable::at(const Eigen::Ref<const Eigen::MatrixXd>& points) const
{
    Eigen::MatrixXd table = Eigen::MatrixXd::Ones(points.rows(), columns());
    for (Eigen::Index j = 0; j < columns(); ++j)
        for (const Part& part : m_products[static_cast<std::size_t>(j)])
            multiply(part, points, table.col(j).array());
    return table;
}

PredictionVariance::PredictionVariance(const std::vector<model::Column>& columns,
                                       const std::vector<study::Factor>& factors,
                                       const Eigen::MatrixXd& covariance)
    : m_table(columns, factors)
    , m_covariance(covariance)
{
    for (Eigen::Index j = 0; j < covariance.cols(); ++j)
        for (Eigen::Index i = 0; i <= j; ++i) {
            const double size = std::sqrt(covariance(i, i) * covariance(j, j));
            if (std::abs(covariance(i, j)) > kNoCovariance * size)
                m_entries.push_back({i, j, (i == j ? 1.0 : 2.0) * covariance(i, j)});
        }
    const auto all = static_cast<double>(covariance.size()) / 2.0;
    if (static_cast<double>(m_entries.size()) > kSparse * all)
        m_entries.clear();
}

Eigen::ArrayXd PredictionVariance::sparse(const Eigen::MatrixXd& rows) const
{
    Eigen::ArrayXd variance = Eigen::ArrayXd::Zero(rows.rows());
    for (const Entry& entry : m_entries)
        variance += entry.weight * rows.col(entry.row).array() * rows.col(entry.column).array();
    return variance;
}

Eigen::ArrayXd PredictionVariance::dense(const Eigen::MatrixXd& rows) const
{
    const Eigen::MatrixXd weighted = algebra::times(rows, m_covariance);
    return (weighted.array() * rows.array()).rowwise().sum();
}

Eigen::VectorXd PredictionVariance::at(const Eigen::Ref<const Eigen::MatrixXd>& points) const
{
    Eigen::VectorXd variance(points.rows());
    for (Eigen::Index begin = 0; begin < points.rows(); begin += kChunk) {
        const Eigen::Index count = std::min(kChunk, points.rows() - begin);
        const Eigen::MatrixXd rows = m_table.at(points.middleRows(begin, count));
        variance.segment(begin, count) = m_entries.empty() ? dense(rows) : sparse(rows);
    }
    return variance;
}

} // namespace quadric::design
