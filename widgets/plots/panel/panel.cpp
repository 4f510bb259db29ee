// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel.h"

#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace quadric::widgets {

namespace {

/// The leftmost, rightmost, lowest and highest dot.
std::set<const PanelDot*> extremesOf(const std::vector<PanelDot>& dots)
{
    const auto [left, right] = std::ranges::minmax_element(dots, {}, &PanelDot::x);
    const auto [low, high] = std::ranges::minmax_element(dots, {}, &PanelDot::y);
    return {&*left, &*right, &*low, &*high};
}

bool isOrdinary(const PanelDot& dot)
{
    return dot.role != DotRole::Outstanding && dot.role != DotRole::Choice && dot.label.isEmpty() &&
           !dot.isHandle;
}

} // namespace

std::size_t thinningStride(std::size_t dots)
{
    return std::max<std::size_t>(1, (dots + kMostDots - 1) / kMostDots);
}

void thinDots(Panel& panel)
{
    const std::size_t all = panel.dots.size();
    const std::size_t stride = thinningStride(all);
    if (stride == 1)
        return;
    const std::set<const PanelDot*> extremes = extremesOf(panel.dots);
    std::vector<PanelDot> kept;
    std::size_t special = 0;
    for (std::size_t i = 0; i < all; ++i) {
        const PanelDot& dot = panel.dots[i];
        const bool isSpecial = !isOrdinary(dot) && ++special <= kMostDots;
        if (i % stride == 0 || isSpecial || extremes.contains(&dot))
            kept.push_back(dot);
    }
    panel.dots = std::move(kept);
    const auto count = [](std::size_t dots) {
        return QString::fromStdString(text::formatDecimals(static_cast<double>(dots), 0));
    };
    const QString said = tr("%1 of %2 points are drawn").arg(count(panel.dots.size()), count(all));
    panel.note += (panel.note.isEmpty() ? QString() : QStringLiteral("; ")) + said;
}

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
    QString name = tr("P(runs) 50 %");
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
    return {
        .sample = LegendEntry::Sample::Region, .text = tr("P(runs) < 50 %"), .region = RegionRole::Failing};
}

LegendEntry failedEntry()
{
    return {.sample = LegendEntry::Sample::Dot, .text = tr("failed run"), .dot = DotRole::Failed};
}

QString runsWithText(double probability)
{
    return std::isfinite(probability) ? tr("Runs with %1").arg(formatPercent(probability, 0)) : QString();
}

QString failedText(const model::FailedPoint& point)
{
    QString cause = QString::fromStdString(point.cause).replace(QLatin1Char('-'), QLatin1Char(' '));
    return cause.isEmpty() ? tr("Run %1 failed").arg(point.run)
                           : tr("Run %1 failed: %2").arg(QString::number(point.run), cause);
}

LegendEntry infeasibleEntry()
{
    return {.sample = LegendEntry::Sample::Region, .text = tr("infeasible"), .region = RegionRole::Barred};
}

} // namespace quadric::widgets
