// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/limit_names.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

/// The line that the names point to meets a name of this extent.
bool isMet(const std::vector<LimitName>& names, std::size_t index, double left, bool goesRight)
{
    if (goesRight)
        return index + 1 < names.size() && names[index + 1].x < left + names[index].width + kLimitGap;
    return index > 0 && names[index - 1].x > left - kLimitGap;
}

} // namespace

std::vector<QRectF> placesOf(const std::vector<LimitName>& names, const QRectF& band)
{
    const bool goesRight = std::ranges::all_of(
        names, [&band](const LimitName& name) { return name.x + kLimitGap + name.width <= band.right(); });
    std::vector<QRectF> places;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double left = goesRight ? names[i].x + kLimitGap
                                      : std::max(band.left(), names[i].x - kLimitGap - names[i].width);
        const double top = isMet(names, i, left, goesRight) ? band.top() : band.center().y();
        places.emplace_back(left, top, names[i].width, band.height() / 2.0);
    }
    return places;
}

} // namespace quadric::widgets
