// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/arrangement.h"

#include "widgets/explore/views/explore_views.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kSmallest = 0.05, kLargest = 20.0; ///< sizes beside which a cell could not be seen any more

double sizeAt(const std::vector<double>& sizes, std::size_t index)
{
    return index < sizes.size() ? std::clamp(sizes[index], kSmallest, kLargest) : 1.0;
}

Arrangement::Row rowFrom(const std::vector<std::string>& views, const std::vector<double>& widths)
{
    Arrangement::Row row;
    for (std::size_t i = 0; i < views.size() && row.views.size() < Arrangement::kMostColumns; ++i) {
        if (findView(exploreViews(), views[i]) == nullptr)
            continue;
        row.views.push_back(views[i]);
        row.widths.push_back(sizeAt(widths, i));
    }
    return row;
}

/// Three digits are finer than a pixel.
double rounded(double size)
{
    return std::round(size * 1000.0) / 1000.0;
}

} // namespace

Arrangement defaultArrangement()
{
    return {{{{"pareto", "main-effects"}, {1.0, 1.0}, 1.0}, {{"surface", "report-card"}, {1.0, 1.0}, 1.25}}};
}

study::PageView pageViewOf(const Arrangement& arrangement)
{
    study::PageView page;
    for (const Arrangement::Row& row : arrangement.rows) {
        page.views.push_back(row.views);
        std::vector<double>& widths = page.widths.emplace_back();
        for (const double width : row.widths)
            widths.push_back(rounded(width));
        page.heights.push_back(rounded(row.height));
    }
    return page;
}

Arrangement arrangementFrom(const study::PageView& page)
{
    Arrangement arrangement;
    for (std::size_t i = 0; i < page.views.size() && arrangement.rows.size() < Arrangement::kMostRows; ++i) {
        Arrangement::Row row =
            rowFrom(page.views[i], i < page.widths.size() ? page.widths[i] : std::vector<double>());
        row.height = sizeAt(page.heights, i);
        if (!row.views.empty())
            arrangement.rows.push_back(std::move(row));
    }
    return arrangement.rows.empty() ? defaultArrangement() : arrangement;
}

} // namespace quadric::widgets
