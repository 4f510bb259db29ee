// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/contour_bands.h"

#include "widgets/plots/base/iso_lines.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kMostLines = 9;
constexpr int kFewestBands = 32;

/// The levels of the lines and those between them, the first at the lowest value or below it.
std::vector<double> bandLevels(const AxisScale& scale)
{
    const std::vector<Tick> lines = contourTicks(scale);
    const double range = scale.high - scale.low;
    const double apart = lines.size() > 1 ? lines[1].value - lines[0].value : range;
    const double step = apart / std::ceil(kFewestBands * apart / range);
    const double origin = lines.empty() ? scale.low : lines.front().value;
    std::vector<double> levels;
    for (double k = std::floor((scale.low - origin) / step); origin + k * step < scale.high; ++k)
        levels.push_back(origin + k * step);
    return levels;
}

} // namespace

std::vector<Tick> contourTicks(const AxisScale& scale)
{
    return ticksOf(scale, kMostLines);
}

std::vector<ColorBand> colorBands(const Eigen::MatrixXd& z, const AxisScale& scale)
{
    const std::vector<double> levels = bandLevels(scale);
    std::vector<ColorBand> bands;
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const double next = k + 1 < levels.size() ? levels[k + 1] : scale.high;
        const double middle = (std::max(levels[k], scale.low) + next) / 2.0;
        bands.push_back({levels[k], scale.fractionOf(middle), isoRegion(z, levels[k])});
    }
    return bands;
}

} // namespace quadric::widgets
