// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/plot_kinds.h"

#include "widgets/explore/view_catalog.h"
#include "widgets/monitor/run_charts.h"

#include <QCoreApplication>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("PlotKinds", text);
}

/// The views of the Explore page that are drawings; the others are words and tables.
void addExplore(std::vector<PlotKind>& kinds)
{
    for (const ViewType& type : viewCatalog()) {
        if (!type.isPlot)
            continue;
        const int axes = type.name == "surface" || type.name == "contour" ? 2 : 0;
        kinds.push_back({type.name, type.title, "explore", PlotSubject::Response, axes});
    }
}

std::vector<PlotKind> makeKinds()
{
    std::vector<PlotKind> kinds{
        {"design-cube", tr("Design in space"), "design", PlotSubject::Study, 3},
        {"power", tr("Power of each term"), "design", PlotSubject::Study, 0},
        {"design-space", tr("Fraction of design space"), "design", PlotSubject::Study, 0},
        {"overlap", tr("Correlations of the terms"), "design", PlotSubject::Study, 0}};
    for (const RunChartKind& kind : runChartKinds())
        kinds.push_back({kind.name, kind.title, "run", PlotSubject::Run, 0});
    addExplore(kinds);
    kinds.insert(
        kinds.end(),
        {{"profiler", tr("Prediction profiler"), "optimize", PlotSubject::Study, 0},
         {"desirability", tr("Desirability"), "optimize", PlotSubject::Response, 0},
         {"best-surface", tr("Response surface through the best setting"), "optimize", PlotSubject::Response,
          2},
         {"overall-surface", tr("Overall desirability"), "optimize", PlotSubject::Study, 2},
         {"limits", tr("Limits of all responses"), "optimize", PlotSubject::Study, 2},
         {"trade-off", tr("Trade-off front"), "optimize", PlotSubject::TwoResponses, 0},
         {"ramps", tr("The best setting at a glance"), "optimize", PlotSubject::Study, 0},
         {"robustness", tr("Probability of keeping each limit"), "optimize", PlotSubject::Study, 0},
         {"sensitivity", tr("Sensitivity to weights and limits"), "optimize", PlotSubject::Study, 0}});
    return kinds;
}

} // namespace

const std::vector<PlotKind>& plotKinds()
{
    static const std::vector<PlotKind> kinds = makeKinds();
    return kinds;
}

const PlotKind* findPlotKind(std::string_view name)
{
    const auto found = std::ranges::find(plotKinds(), name, &PlotKind::name);
    return found == plotKinds().end() ? nullptr : &*found;
}

} // namespace quadric::widgets
