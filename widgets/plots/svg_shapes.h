// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <map>
#include <vector>

namespace quadric::widgets {

/// One element of an SVG document that draws something.
struct SvgShape {
    QByteArray tag;
    std::map<QByteArray, QByteArray> look; ///< fill, stroke, font, transform …: what a group could say for it
    QByteArray geometry;                   ///< its other attributes, as text
    QByteArray d;                          ///< of a path; the only geometry it has
    QByteArray text;                       ///< of a text element
};

/// The shapes in the groups that QSvgGenerator writes, each with the look of its group. Polylines and
/// polygons become paths, coordinates get so many decimals.
std::vector<SvgShape> readShapes(const QByteArray& groups, int decimals);

/// The shapes as one group, with what they share said once. Neighbouring lines of one look become one path.
QByteArray writeShapes(std::vector<SvgShape> shapes);

} // namespace quadric::widgets
