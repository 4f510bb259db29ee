// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/charts/contour_profiler_plot.h"
#include "widgets/optimize/views/answer_view.h"

namespace quadric::widgets {

/// Over which factors and around which other settings a map is made: it is the same wherever the crosshair
/// stands on it.
struct MapPlace {
    AxisChoice axes;
    study::Settings others;
    bool operator==(const MapPlace&) const = default;
};
MapPlace mapPlaceOf(const Answer& answer, const AxisChoice& axes);

/// The map of the answer over these axes.
optimize::LimitMap answerMap(const Answer& answer, const AxisChoice& axes, optimize::MapResponses which);

/// Where a map over these axes is supported by runs, at its nodes (optimize::supportGrid()).
Eigen::MatrixXd answerSupport(const Answer& answer, const AxisChoice& axes);

/// What is predicted where the answer is looked at, in the order of the map's responses.
std::vector<std::optional<double>> predictionsOf(const Answer& answer, const optimize::LimitMap& map);

/// A response of the map as a surface without errors and runs, with so many nodes along each axis.
model::MarkedSurface smallSurface(const optimize::LimitMap& map, const optimize::LimitLayer& layer,
                                  int points);

/// 1 where a setting of the plane may be the best, 0 elsewhere; empty while that region is not known.
Eigen::MatrixXd placesOf(const Answer& answer, const AxisChoice& axes, const std::stop_token& stop);

/// What is told of a place of the map: both factors, all predictions with what their limits say, and what
/// forbids it.
std::function<QString(double x, double y)> readingOf(const Answer& answer, const AxisChoice& axes);

/// How large the sweet spot is and what limits it most, in one sentence.
QString limitsText(const optimize::LimitMap& map);

/// The pictures: contours at the predictions of the setting that is looked at, or the limits alone.
std::shared_ptr<Plot> drawContourProfiler(const AnswerSource& source);
std::shared_ptr<Plot> drawLimits(const AnswerSource& source);

} // namespace quadric::widgets
