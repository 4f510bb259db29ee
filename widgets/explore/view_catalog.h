// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/view.h"

#include <string_view>

namespace quadric::widgets {

/// A kind of view: its name in the study file, what it is called and how one is made.
struct ViewType {
    std::string name;
    QString title;
    About about;
    std::function<View*()> make;
    bool isPlot = true; ///< false: words or a table
};

/// All kinds, in the order of the chooser.
const std::vector<ViewType>& viewCatalog();

/// The kind of this name; none: nullptr.
const ViewType* findView(std::string_view name);

} // namespace quadric::widgets
