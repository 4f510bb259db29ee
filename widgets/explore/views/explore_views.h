// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/views/view.h"
#include "widgets/plots/view_kind.h"

namespace quadric::widgets {

/// What the picture of a view of the page is drawn from.
struct ModelSource {
    const study::Study& study;
    const model::Fit& fit;
    std::vector<std::size_t> axes = {}; ///< factors that are asked for; none: the view's own choice
};

using ExploreView = ViewRow<View, ModelSource>;

/// All views of the page, in the order of its chooser: effects, planes, and whether the fit can be believed.
const std::vector<ExploreView>& exploreViews();
std::vector<ExploreView> effectViews();
std::vector<ExploreView> planeViews();
std::vector<ExploreView> fitViews();

/// Rows of these lists: a view that draws, and one that is words or a table.
ExploreView plotRow(const char* id, const QString& title, View* (*make)(), int axes = 0,
                    bool takesLevels = false);
ExploreView levelRow();   ///< observed values by level
ExploreView opinionRow(); ///< other kinds of models
ExploreView wordRow(const char* id, const QString& title, View* (*make)());

} // namespace quadric::widgets
