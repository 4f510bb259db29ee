// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/view_registry.h"

#include "widgets/design/quality/design_views.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/monitor/run_charts.h"
#include "widgets/optimize/views/optimize_views.h"
#include "widgets/plan/plan_views.h"

namespace quadric::widgets {

const std::vector<ViewKind>& viewKinds()
{
    static const std::vector<ViewKind> kinds = [] {
        std::vector<ViewKind> all;
        const auto add = [&all](const auto& rows) { all.insert(all.end(), rows.begin(), rows.end()); };
        add(designViews());
        add(runViews());
        add(exploreViews());
        add(optimizeViews());
        add(planViews());
        return all;
    }();
    return kinds;
}

const std::vector<ViewKind>& plotKinds()
{
    static const std::vector<ViewKind> kinds = [] {
        std::vector<ViewKind> plots = viewKinds();
        std::erase_if(plots, [](const ViewKind& kind) { return !kind.isPlot; });
        return plots;
    }();
    return kinds;
}

} // namespace quadric::widgets
