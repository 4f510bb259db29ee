// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace quadric::widgets {

/// A number of an SVG document with at most so many decimals and no character that says nothing: ".5", "-3".
QByteArray shortNumber(double value, int decimals);

/// The `d` of the same path in fewer characters: relative coordinates with so many decimals of a pixel,
/// without the points of a line from which it bends by less than the last one. Other commands than M,
/// L and C leave it as it is.
QByteArray shortPath(const QByteArray& d, int decimals);

/// The same for the `points` of a polyline, or of a polygon, which is closed.
QByteArray shortPath(const QByteArray& points, bool isClosed, int decimals);

} // namespace quadric::widgets
