// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/explore_views.h"

#include "widgets/plots/base/plot.h"

namespace quadric::widgets {

namespace {

std::shared_ptr<Plot> drawFit(View* made, const ModelSource& source)
{
    const std::shared_ptr<View> view(made);
    view->showFit(source.study, source.fit);
    view->setAxes(source.axes);
    return plotOf(view);
}

} // namespace

ExploreView plotRow(const char* id, const QString& title, View* (*make)(), int axes, bool takesLevels)
{
    ExploreView row{{id, title, "explore", ViewSubject::Response, axes},
                    make,
                    [make](const ModelSource& source) { return drawFit(make(), source); }};
    row.takesLevels = takesLevels;
    return row;
}

ExploreView wordRow(const char* id, const QString& title, View* (*make)())
{
    return {{id, title, "explore", ViewSubject::Response, 0, false}, make, {}};
}

const std::vector<ExploreView>& exploreViews()
{
    static const std::vector<ExploreView> views = [] {
        std::vector<ExploreView> all = effectViews();
        for (const auto& more : {planeViews(), fitViews()})
            all.insert(all.end(), more.begin(), more.end());
        return all;
    }();
    return views;
}

} // namespace quadric::widgets
