// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/cost_plot.h"

#include "core/text/time_unit.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

using Part = plan::Estimate plan::RunCost::*;

/// The axis goes no further than so many times the largest median, for an interval may have no end.
constexpr double kMostOfBand = 2.0;

/// Median and band of one part of the costs; where an end is not finite there is no band.
Panel costPanel(const study::Study& study, const study::Settings& settings, const plan::CostPlan& plan,
                Part part, const QString& title, double unit)
{
    const study::Factor& factor = *study::findFactor(study, plan.factor);
    Panel panel;
    PanelLine line;
    PanelBand band;
    std::vector<double> values{0.0}; // that the axis shows
    for (const plan::CostPoint& point : plan.along) {
        const plan::Estimate& estimate = point.cost.*part;
        if (!std::isfinite(estimate.value))
            continue;
        line.x.push_back(point.setting);
        line.y.push_back(estimate.value / unit);
        const double high = std::isfinite(estimate.high) ? estimate.high : estimate.value;
        band.x.push_back(point.setting);
        band.low.push_back(estimate.low / unit);
        band.high.push_back(high / unit);
    }
    const double largest = line.y.empty() ? 1.0 : *std::ranges::max_element(line.y);
    for (const double high : band.high)
        values.push_back(std::min(high, kMostOfBand * largest));
    panel.x = {nameWithUnit(factor.name, factor.unit),
               scaleOver(line.x, factor.scale == study::Scale::Log2, 0.02)};
    panel.y = {title, scaleOver(values, false)};
    panel.bands.push_back(std::move(band));
    panel.lines.push_back(std::move(line));
    const double here = (plan.here.*part).value / unit;
    if (std::isfinite(here))
        panel.dots.push_back({.x = study::numberOf(settings.at(plan.factor)),
                              .y = here,
                              .role = DotRole::Shown,
                              .tip = CostPlot::tr("at the settings: %1").arg(formatNumber(here))});
    return panel;
}

TextTable costTable(const study::Study& study, const plan::CostPlan& plan, const QString& money)
{
    const study::Factor& factor = *study::findFactor(study, plan.factor);
    TextTable table;
    table.caption = CostPlot::tr("Cost of a run");
    table.columns = {{nameWithUnit(factor.name, factor.unit), {}, true},
                     {CostPlot::tr("GPUs"), {}, true},
                     {money, {}, true},
                     {CostPlot::tr("energy (kWh)"), {}, true},
                     {CostPlot::tr("time (s)"), {}, true}};
    const auto text = [](const plan::Estimate& estimate) {
        return std::isfinite(estimate.high) ? formatInterval(estimate.value, estimate.low, estimate.high)
                                            : formatNumber(estimate.value);
    };
    for (const plan::CostPoint& point : plan.along)
        table.rows.push_back({formatNumber(point.setting), QString::number(point.gpus),
                              text(point.cost.money), text(point.cost.kilowattHours),
                              text(point.cost.seconds)});
    return table;
}

} // namespace

CostPlot::CostPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Cost of a run"));
    clear(tr("No numeric factor to go along."));
}

void CostPlot::setPlan(const study::Study& study, const study::Settings& settings, const plan::CostPlan& plan)
{
    if (plan.along.empty())
        return clear(tr("No numeric factor to go along."));
    double longest = 0.0;
    for (const plan::CostPoint& point : plan.along)
        if (std::isfinite(point.cost.seconds.value))
            longest = std::max(longest, point.cost.seconds.value);
    const text::TimeUnit unit = text::findTimeUnit(longest);
    const QString money = plan.isInGpuHours ? tr("GPU hours of a run") : tr("cost of a run");
    PanelBoard board;
    board.panels.push_back(costPanel(study, settings, plan, &plan::RunCost::money, money, 1.0));
    board.panels.push_back(costPanel(study, settings, plan, &plan::RunCost::seconds,
                                     tr("time of a run (%1)").arg(QLatin1String(unit.name)), unit.seconds));
    board.legend = {
        {.sample = LegendEntry::Sample::LineInBand, .text = tr("median, 95 % interval of one run")},
        {.sample = LegendEntry::Sample::Dot, .text = tr("at the settings"), .dot = DotRole::Shown}};
    board.table = costTable(study, plan, money);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
