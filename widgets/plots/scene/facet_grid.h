// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include <vector>

namespace quadric::widgets {

/// Cells of one size for `count` pictures, row by row, in the arrangement that gives them most room.
std::vector<QRectF> gridCells(const QRectF& area, std::size_t count);

} // namespace quadric::widgets
