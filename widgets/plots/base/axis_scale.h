// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QString>

#include <cmath>
#include <vector>

namespace quadric::widgets {

/// One axis: actual values from low to high, on a linear or a log2 scale.
struct AxisScale {
    double low = 0.0, high = 1.0;
    bool isLog2 = false;

    /// 0 at low, 1 at high; outside the range beyond these.
    double fractionOf(double actual) const;
    double actualAt(double fraction) const;
};

/// A scale that covers all finite values, widened by `margin` of their range at both ends. Never empty; log2
/// only where all values are positive.
AxisScale scaleOver(const std::vector<double>& values, bool isLog2, double margin = 0.0);

struct Tick {
    double value = 0.0;
    QString label;
};

/// At most `most` ticks at round values, with as many decimals as their step needs. Linear: 1, 2, 5 · 10ⁿ;
/// log2: powers of two, with 1.5 · 2ⁿ where those are too few, or powers of ten (1, 3 or 1, 2, 5 · 10ⁿ) where
/// powers of two would be long numbers, as for a learning rate.
std::vector<Tick> chooseTicks(const AxisScale& scale, int most);

/// As many ticks as fit side by side on an axis of this length in pixels. Labels that stick out at an end by
/// more than `overhang` pixels, into a neighboring axis, are left out.
std::vector<Tick> horizontalTicks(const AxisScale& scale, double length, const QFontMetricsF& metrics,
                                  double overhang = INFINITY);
std::vector<Tick> verticalTicks(const AxisScale& scale, double length, const QFontMetricsF& metrics);

} // namespace quadric::widgets
