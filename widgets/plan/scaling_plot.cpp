// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/scaling_plot.h"

#include "core/plan/words/scaling_tables.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kApartLine = 1, kOverlappedLine = 2;

/// As far as the runs reach, and beyond them.
std::vector<PanelLine> lawLines(const plan::ScalePlan& plan, int lastMeasured)
{
    PanelLine inside, beyond;
    beyond.role = LineRole::Extrapolation;
    for (const plan::ForecastRow& row : plan.curve) {
        if (row.count <= lastMeasured) {
            inside.x.push_back(row.count);
            inside.y.push_back(row.speed.value);
        }
        if (row.count >= lastMeasured) {
            beyond.x.push_back(row.count);
            beyond.y.push_back(row.speed.value);
        }
    }
    return {inside, beyond};
}

PanelBand bandOf(const plan::ScalePlan& plan)
{
    PanelBand band;
    for (const plan::ForecastRow& row : plan.curve) {
        band.x.push_back(row.count);
        band.low.push_back(row.speed.low);
        band.high.push_back(row.speed.high);
    }
    return band;
}

PanelLine idealLine(const plan::ScalePlan& plan)
{
    const plan::ForecastRow& first = plan.curve.front();
    const int last = plan.curve.back().count;
    return straightLine(first.count, first.speed.value, last, first.speed.value * last / first.count,
                        LineRole::Reference);
}

std::vector<PanelDot> measuredDots(const plan::ScalePlan& plan, const QString& unit)
{
    std::vector<PanelDot> dots;
    for (const plan::ScalingPoint& point : plan.points)
        dots.push_back(
            {.x = double(point.count),
             .y = point.speed,
             .role = DotRole::Mean,
             .tip = ScalingPlot::tr("%1 GPUs: %2 %3 (mean of the runs, adjusted to these settings)")
                        .arg(point.count)
                        .arg(formatNumber(point.speed), unit)});
    return dots;
}

/// Without overlap and with it.
std::vector<PanelLine> linkLines(const plan::ScalePlan& plan)
{
    PanelLine apart, overlapped;
    apart.category = kApartLine;
    overlapped.category = kOverlappedLine;
    for (const plan::LinkSpeed& speed : plan.links) {
        apart.x.push_back(speed.count);
        apart.y.push_back(speed.apart);
        overlapped.x.push_back(speed.count);
        overlapped.y.push_back(speed.overlapped);
    }
    return {apart, overlapped};
}

AxisScale speedScale(const plan::ScalePlan& plan)
{
    std::vector<double> values{plan.curve.front().speed.value * plan.curve.back().count /
                               plan.curve.front().count};
    for (const plan::ForecastRow& row : plan.curve)
        values.insert(values.end(), {row.speed.low, row.speed.high});
    for (const plan::LinkSpeed& speed : plan.links)
        values.insert(values.end(), {speed.apart, speed.overlapped});
    std::erase_if(values, [](double value) { return !(value > 0.0); });
    return scaleOver(values, true, 0.04);
}

std::vector<LegendEntry> scalingLegend(const plan::ScalePlan& plan)
{
    std::vector<LegendEntry> legend{
        {.sample = LegendEntry::Sample::Dot, .text = ScalingPlot::tr("measured"), .dot = DotRole::Mean},
        {.sample = LegendEntry::Sample::LineInBand,
         .text = ScalingPlot::tr("forecast, %1 interval").arg(formatPercent(plan.confidence, 0))},
        {.sample = LegendEntry::Sample::Line, .text = ScalingPlot::tr("ideal"), .line = LineRole::Reference}};
    if (plan.links.empty())
        return legend;
    legend.push_back({.sample = LegendEntry::Sample::Line,
                      .text = ScalingPlot::tr("over the links, nothing hidden"),
                      .category = kApartLine});
    legend.push_back({.sample = LegendEntry::Sample::Line,
                      .text = ScalingPlot::tr("with overlap"),
                      .category = kOverlappedLine});
    return legend;
}

} // namespace

QString speedUnit(const model::Fit& fit)
{
    return plan::isRateUnit(fit.unit) ? QString::fromStdString(fit.unit) : QStringLiteral("1/s");
}

ScalingPlot::ScalingPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Speed of larger clusters"));
    clear(tr("No factor is the number of GPUs."));
}

void ScalingPlot::setPlan(const model::Fit& fit, const plan::ScalePlan& plan)
{
    if (plan.laws.empty())
        return clear(QString::fromStdString(plan.message));
    const int lastMeasured = plan::countsOf(plan.points).back();
    Panel panel;
    panel.grid = PanelGrid::Both;
    const double first = plan.curve.front().count, last = plan.curve.back().count;
    panel.x = {tr("GPUs"), scaleOver({first, last}, true, 0.03)};
    panel.y = {tr("speed (%1)").arg(speedUnit(fit)), speedScale(plan)};
    panel.bands.push_back(bandOf(plan));
    panel.lines.push_back(idealLine(plan));
    for (PanelLine& line : lawLines(plan, lastMeasured))
        panel.lines.push_back(std::move(line));
    if (!plan.links.empty())
        for (PanelLine& line : linkLines(plan))
            panel.lines.push_back(std::move(line));
    panel.dots = measuredDots(plan, speedUnit(fit));
    if (plan.lastWorthwhile < last)
        panel.limits.push_back(
            {double(plan.lastWorthwhile), tr("doubling pays up to %1").arg(plan.lastWorthwhile)});
    PanelBoard board;
    board.title = nameText(fit.response);
    board.panels.push_back(std::move(panel));
    board.legend = scalingLegend(plan);
    board.table = typeset(plan::makeSpeedTable(plan.rows, plan.confidence));
    setBoard(std::move(board));
}

} // namespace quadric::widgets
