// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/feasible_region.h"

#include "widgets/base/theme.h"
#include "widgets/plots/base/iso_lines.h"

#include <QCoreApplication>

#include <cmath>
#include <utility>

namespace quadric::widgets {

void addInfeasible(PanelBoard& board, Panel& panel, const GridAxes& axes, const study::FeasibleGrid& grid)
{
    if (grid.isEmpty())
        return;
    PanelRegion region{.role = RegionRole::Barred};
    for (const std::vector<Eigen::Vector2d>& outline : isoRegion(-grid.value, -grid.level))
        region.outlines.push_back(axes.polygonOf(outline));
    panel.regions.push_back(std::move(region));
    board.legend.push_back(infeasibleEntry());
}

void addFailing(PanelBoard& board, Panel& panel, const GridAxes& axes, const study::FeasibleGrid& running)
{
    if (running.isEmpty() || running.value.minCoeff() >= running.level)
        return;
    PanelRegion region{.role = RegionRole::Failing};
    for (const std::vector<Eigen::Vector2d>& outline : isoRegion(-running.value, -running.level))
        region.outlines.push_back(axes.polygonOf(outline));
    panel.regions.push_back(std::move(region));
    QString name = QCoreApplication::translate("Plots", "P(runs) 50 %");
    for (const IsoLine& line : isoLines(running.value, {running.level}))
        panel.contours.push_back({.points = axes.polygonOf(line.points),
                                  .label = std::exchange(name, QString()),
                                  .isChance = true});
    board.legend.push_back(failingEntry());
}

void addFailedRuns(PanelBoard& board, Panel& panel, const std::vector<model::FailedPoint>& failed)
{
    for (const model::FailedPoint& point : failed)
        panel.dots.push_back({.x = point.x,
                              .y = point.y,
                              .run = point.run,
                              .role = DotRole::Failed,
                              .tip = failedText(point)});
    if (!failed.empty())
        board.legend.push_back(failedEntry());
}

LegendEntry failingEntry()
{
    return {.sample = LegendEntry::Sample::Region,
            .text = QCoreApplication::translate("Plots", "P(runs) < 50 %"),
            .region = RegionRole::Failing};
}

LegendEntry failedEntry()
{
    return {.sample = LegendEntry::Sample::Dot,
            .text = QCoreApplication::translate("Plots", "failed run"),
            .dot = DotRole::Failed};
}

QString runsWithText(double probability)
{
    return std::isfinite(probability)
               ? QCoreApplication::translate("Plots", "Runs with %1").arg(formatPercent(probability, 0))
               : QString();
}

QString failedText(const model::FailedPoint& point)
{
    QString cause = QString::fromStdString(point.cause).replace(QLatin1Char('-'), QLatin1Char(' '));
    return cause.isEmpty() ? QCoreApplication::translate("Plots", "Run %1 failed").arg(point.run)
                           : QCoreApplication::translate("Plots", "Run %1 failed: %2")
                                 .arg(QString::number(point.run), cause);
}

LegendEntry infeasibleEntry()
{
    return {.sample = LegendEntry::Sample::Region,
            .text = QCoreApplication::translate("Plots", "infeasible"),
            .region = RegionRole::Barred};
}

} // namespace quadric::widgets
