// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/dominated_region.h"

#include "core/optimize/merit/nondominated.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

namespace quadric::optimize {

namespace {

/// Mean of what values have beyond an edge.
double meanBeyond(const Eigen::ArrayXd& values, double edge)
{
    return (values - edge).max(0.0).mean();
}

} // namespace

DominatedRegion::DominatedRegion(const std::vector<Eigen::ArrayXd>& points, Eigen::Index qualities)
{
    if (qualities < 1 || qualities > kMostQualities)
        throw std::invalid_argument("a trade-off is known between 1 and " + std::to_string(kMostQualities) +
                                    " qualities, not " + std::to_string(qualities));
    const std::vector<Eigen::ArrayXd> best = keepNondominated(points, std::identity());
    for (Eigen::Index j = 0; j < qualities; ++j) {
        std::vector<double> edges{0.0};
        for (const Eigen::ArrayXd& point : best)
            edges.push_back(point[j]);
        std::ranges::sort(edges);
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        m_edges.push_back(std::move(edges));
    }
    addColumns(best);
}

void DominatedRegion::addColumns(const std::vector<Eigen::ArrayXd>& points)
{
    const std::size_t last = m_edges.size() - 1;
    Column column(m_edges.size(), 0);
    do {
        double height = 0.0;
        for (const Eigen::ArrayXd& point : points) {
            bool isBelow = true;
            for (std::size_t j = 0; j < last && isBelow; ++j)
                isBelow = point[static_cast<Eigen::Index>(j)] > m_edges[j][column[j]];
            if (isBelow)
                height = std::max(height, point[static_cast<Eigen::Index>(last)]);
        }
        column[last] =
            static_cast<std::size_t>(std::ranges::lower_bound(m_edges[last], height) - m_edges[last].begin());
        m_volume += volumeBelow(column);
        m_columns.push_back(column);
    } while (advance(column));
}

bool DominatedRegion::advance(Column& column) const
{
    for (std::size_t j = 0; j + 1 < column.size(); ++j) {
        if (++column[j] < m_edges[j].size())
            return true;
        column[j] = 0;
    }
    return false;
}

double DominatedRegion::volumeBelow(const Column& column) const
{
    double volume = m_edges.back()[column.back()];
    for (std::size_t j = 0; j + 1 < column.size() && volume > 0.0; ++j)
        volume *= m_edges[j][column[j] + 1] - m_edges[j][column[j]];
    return volume;
}

double DominatedRegion::expectedGain(const Eigen::ArrayXXd& draws) const
{
    std::vector<std::vector<double>> sides; // mean length between an edge and the next one
    for (std::size_t j = 0; j < m_edges.size(); ++j) {
        std::vector<double>& side = sides.emplace_back();
        for (const double edge : m_edges[j])
            side.push_back(meanBeyond(draws.col(static_cast<Eigen::Index>(j)), edge));
        for (std::size_t k = 0; k + 1 < side.size() && j + 1 < m_edges.size(); ++k)
            side[k] -= side[k + 1];
    }
    double gain = 0.0;
    for (const Column& column : m_columns) {
        double part = sides.back()[column.back()];
        for (std::size_t j = 0; j + 1 < column.size() && part > 0.0; ++j)
            part *= sides[j][column[j]];
        gain += part;
    }
    return gain;
}

} // namespace quadric::optimize
