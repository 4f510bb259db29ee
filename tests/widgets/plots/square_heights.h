// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace quadric::samples {

/// Heights over −1 … 1 in both directions.
inline Eigen::MatrixXd heights(int nodes, const auto& function)
{
    Eigen::MatrixXd z(nodes, nodes);
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < nodes; ++j)
            z(i, j) = function(2.0 * i / (nodes - 1) - 1.0, 2.0 * j / (nodes - 1) - 1.0);
    return z;
}

/// The place of an index between the nodes.
inline Eigen::Vector2d fromIndex(const Eigen::Vector2d& index, int nodes)
{
    return (2.0 / (nodes - 1) * index).array() - 1.0;
}

} // namespace quadric::samples
