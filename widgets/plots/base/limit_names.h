// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include <vector>

namespace quadric::widgets {

/// The name of an upright line.
struct LimitName {
    double x = 0.0;     ///< of the line, pixels
    double width = 0.0; ///< of the words, pixels
};

inline constexpr double kLimitGap = 4.0; ///< between a line and its name, pixels

/// Where the names stand in a band of two lines of words, like flags at the top of their lines, all on the
/// same side: a name stays in the lower line unless the next line would run through it. No name touches a
/// line or another name, as long as `band` has room on one side of every line. `names`: from left to right,
/// at most two. A line reaches up to the top of its name.
std::vector<QRectF> placesOf(const std::vector<LimitName>& names, const QRectF& band);

} // namespace quadric::widgets
