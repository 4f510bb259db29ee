// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace quadric::widgets {

/// The text of QSvgGenerator as one element without XML declaration and document type, without the characters
/// that XML does not allow, with one group around all shapes and each shape's look on the shape itself.
/// Coordinates keep so many decimals of a pixel, lines lose the points from which they bend by less than the
/// last one.
QByteArray tidySvg(const QByteArray& generated, int decimals = 2);

} // namespace quadric::widgets
