// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/limit_map.h"
#include "widgets/optimize/plane_frame.h"

#include <QLineF>
#include <QPolygonF>

#include <vector>

namespace quadric::widgets {

/// One limit of one response on a map: where it runs, and on which side it forbids.
struct LimitLine {
    std::size_t layer = 0; ///< of the map
    bool isLow = false;    ///< the lower limit
    double limit = 0.0;
    std::vector<QLineF>
        pieces; ///< the normal of each piece (QLineF::normalVector()) points to the allowed side
};

/// The geometry of a limit map on the screen: predictions are taken to be linear between the nodes, on two
/// triangles a cell, so that regions and lines meet exactly.
struct LimitRegions {
    std::vector<QPolygonF> feasible; ///< together the sweet spot
    std::vector<QRectF> barred;      ///< cells where a constraint of the study does not hold
    std::vector<LimitLine> lines;
};

LimitRegions limitRegions(const optimize::LimitMap& map, const PlaneFrame& frame);

} // namespace quadric::widgets
