// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/running_map.h"
#include "widgets/text/text_table.h"

#include <QString>

#include <optional>

namespace quadric::widgets {

/// A place between four nodes of a grid: the cell, and how far into it.
struct GridPosition {
    Eigen::Index i = 0, j = 0;
    double u = 0.0, v = 0.0;
};

/// Where actual values lie in the grid; empty outside. The scales are those of the grid's axes.
std::optional<GridPosition> locate(const model::SurfaceGrid& grid, double x, double y);

/// A value of the grid between its nodes.
double interpolate(const Eigen::MatrixXd& values, const GridPosition& at);

bool isExtrapolated(const model::SurfaceGrid& grid, Eigen::Index i, Eigen::Index j);

/// The fitted response at the place of an observed point; the point's own fitted value beside the grid.
double heightUnder(const model::SurfaceGrid& grid, const model::ObservedPoint& point);

/// Whether a run's other factors are where the grid holds them, as far as the fitted values tell: they agree
/// within a hundredth of `range`.
bool isOnGrid(const model::SurfaceGrid& grid, const model::ObservedPoint& point, double range);

bool isUsable(const model::SurfaceGrid& grid);

/// The same surface with at most so many nodes along each axis, evenly spread and interpolated. Standard
/// errors are left out.
model::MarkedSurface thinned(const model::MarkedSurface& grid, std::size_t nodes);

/// "gpu_count 32 GPUs", a line per axis and one for the response with its interval.
QString describe(const model::MarkedSurface& grid, double x, double y);
/// An observed point in the same words, with its residual.
QString describe(const model::SurfaceGrid& grid, const model::ObservedPoint& point);

/// A run that failed in the same words.
QString describe(const model::SurfaceGrid& grid, const model::FailedPoint& point);

/// Every node of the grid with its interval.
TextTable gridTable(const model::SurfaceGrid& grid);

} // namespace quadric::widgets
