// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace quadric::widgets {

/// What a kind of plot is about, and with it what a request for one has to name.
enum class PlotSubject { Study, Run, Response, TwoResponses };

/// A kind of plot of the window.
struct PlotKind {
    std::string name; ///< as on the command line: "pareto"
    QString title;    ///< "Pareto chart of effects"
    std::string page; ///< where it stands in the window: "design", "run", "explore", "optimize"
    PlotSubject subject = PlotSubject::Study;
    int axes = 0; ///< how many factors can be chosen: 0, 2 or 3
};

/// All kinds, in the order of the pages and of the views on them.
const std::vector<PlotKind>& plotKinds();

/// The kind of this name; none: nullptr.
const PlotKind* findPlotKind(std::string_view name);

} // namespace quadric::widgets
