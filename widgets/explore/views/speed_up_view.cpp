// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/speed_up_view.h"

#include "core/plan/words/cluster_tables.h"
#include "widgets/base/theme.h"
#include "widgets/explore/views/slice_view.h"
#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

using plan::SpeedUpPoint;

QString intervalText(const SpeedUpPoint& point)
{
    return point.interval ? SpeedUpPlot::tr(" (%1 … %2)")
                                .arg(formatNumber(point.interval->low), formatNumber(point.interval->high))
                          : QString();
}

PanelDot makeSpeedUpDot(const plan::SpeedUp& speedUp, const SpeedUpPoint& point)
{
    PanelDot dot{.x = point.count, .y = point.speedUp};
    const QStringList lines{
        nameWithUnit(speedUp.factor, speedUp.unit) + QLatin1Char(' ') + formatNumber(point.count),
        SpeedUpPlot::tr("speed-up %1").arg(formatNumber(point.speedUp)) + intervalText(point),
        SpeedUpPlot::tr("efficiency %1")
            .arg(formatPercent(point.speedUp / plan::idealSpeedUp(speedUp, point.count)))};
    dot.run = point.run > 0 ? point.run : -1;
    dot.tip = point.run > 0 ? runTip(point.run, lines) : lines.join(QLatin1Char('\n'));
    dot.role = point.run > 0 ? DotRole::Observed : DotRole::Mean;
    return dot;
}

/// Without a model the means have whiskers.
void addMeans(Panel& panel, const plan::SpeedUp& speedUp)
{
    for (const SpeedUpPoint& point : speedUp.counts) {
        panel.dots.push_back(makeSpeedUpDot(speedUp, point));
        if (point.interval)
            panel.lines.push_back(straightLine(point.count, point.interval->low, point.count,
                                               point.interval->high, LineRole::Fit));
    }
}

/// Each stretch of the curve with or without support is a line; they share their ends.
void addModelCurve(Panel& panel, const plan::SpeedUp& speedUp)
{
    PanelBand band;
    for (const SpeedUpPoint& point : speedUp.curve) {
        const LineRole role = point.isExtrapolation ? LineRole::Extrapolation : LineRole::Fit;
        if (panel.lines.size() < 2 || panel.lines.back().role != role) {
            PanelLine next;
            next.role = role;
            if (panel.lines.size() > 1) {
                next.x = {panel.lines.back().x.back()};
                next.y = {panel.lines.back().y.back()};
            }
            panel.lines.push_back(std::move(next));
        }
        panel.lines.back().x.push_back(point.count);
        panel.lines.back().y.push_back(point.speedUp);
        if (point.interval) {
            band.x.push_back(point.count);
            band.low.push_back(point.interval->low);
            band.high.push_back(point.interval->high);
        }
    }
    if (!band.x.empty())
        panel.bands.push_back(std::move(band));
}

double largestCount(const plan::SpeedUp& speedUp)
{
    const double measured = speedUp.runs.back().count;
    return speedUp.curve.empty() ? measured : std::max(measured, speedUp.curve.back().count);
}

double smallestCount(const plan::SpeedUp& speedUp)
{
    const double measured = speedUp.runs.front().count;
    const double shown = speedUp.curve.empty() ? measured : std::min(measured, speedUp.curve.front().count);
    return speedUp.isLog2 ? shown : std::min(shown, speedUp.baseline);
}

AxisScale speedUpScale(const plan::SpeedUp& speedUp, double least, double most)
{
    std::vector<double> values{plan::idealSpeedUp(speedUp, least), plan::idealSpeedUp(speedUp, most)};
    for (const auto* points : {&speedUp.runs, &speedUp.curve, &speedUp.counts}) {
        for (const SpeedUpPoint& point : *points)
            values.insert(values.end(), {point.speedUp, point.interval ? point.interval->low : point.speedUp,
                                         point.interval ? point.interval->high : point.speedUp});
    }
    if (speedUp.isLog2)
        std::erase_if(values, [](double value) { return !(value > 0.0); });
    return scaleOver(values, speedUp.isLog2, 0.04);
}

std::vector<LegendEntry> speedUpLegend(const plan::SpeedUp& speedUp)
{
    using Sample = LegendEntry::Sample;
    const QString level = formatPercent(speedUp.confidence, 0);
    std::vector<LegendEntry> legend{
        {.sample = Sample::Dot, .text = SpeedUpPlot::tr("run"), .dot = DotRole::Observed}};
    if (speedUp.isModeled)
        legend.push_back(
            {.sample = Sample::LineInBand, .text = SpeedUpPlot::tr("model, %1 band").arg(level)});
    else
        legend.push_back({.sample = Sample::Dot,
                          .text = SpeedUpPlot::tr("mean of the runs, %1 interval").arg(level),
                          .dot = DotRole::Mean});
    if (std::ranges::any_of(speedUp.curve, &SpeedUpPoint::isExtrapolation))
        legend.push_back({.sample = Sample::Line,
                          .text = SpeedUpPlot::tr("extrapolation"),
                          .line = LineRole::Extrapolation});
    legend.push_back({.sample = Sample::Line, .text = SpeedUpPlot::tr("ideal"), .line = LineRole::Reference});
    return legend;
}

Panel speedUpPanel(const plan::SpeedUp& speedUp)
{
    const double least = smallestCount(speedUp), most = largestCount(speedUp);
    Panel panel;
    panel.grid = PanelGrid::Both;
    panel.x = {nameWithUnit(speedUp.factor, speedUp.unit), scaleOver({least, most}, speedUp.isLog2, 0.03)};
    panel.x.ticks = wholeTicks(panel.x.scale);
    panel.y = {SpeedUpPlot::tr("speed-up"), speedUpScale(speedUp, least, most)};
    panel.lines.push_back(straightLine(least, plan::idealSpeedUp(speedUp, least), most,
                                       plan::idealSpeedUp(speedUp, most), LineRole::Reference));
    speedUp.isModeled ? addModelCurve(panel, speedUp) : addMeans(panel, speedUp);
    for (const SpeedUpPoint& run : speedUp.runs)
        panel.dots.push_back(makeSpeedUpDot(speedUp, run));
    return panel;
}

/// The model of the response that tells speed-ups, whichever response is shown.
model::Fit speedUpFit(const study::Study& study, const model::Fit& shown)
{
    const std::string response = plan::speedUpResponse(study);
    if (shown.response == response || response.empty())
        return shown;
    study::Study alone = study;
    std::erase_if(alone.responses,
                  [&response](const study::Response& each) { return each.name != response; });
    return model::fitStudy(alone).front();
}

/// Speed-ups are of the study, whichever response is chosen; where the others are held is said below.
class SpeedUpView : public SliceView {
public:
    SpeedUpView()
        : SpeedUpView(new SpeedUpPlot)
    {
    }

protected:
    void prepareFit() override { m_speedUp = fit().isOk() ? speedUpFit(study(), fit()) : model::Fit{}; }
    void showSlice(const study::CodedPoint& at) override
    {
        m_plot->setSpeedUp(plan::computeSpeedUp(study(), m_speedUp, at));
    }
    std::vector<std::size_t> shownFactors() const override
    {
        const study::Factor* ranks = study::rankFactorOf(study());
        return ranks != nullptr ? std::vector{static_cast<std::size_t>(ranks - study().factors.data())}
                                : std::vector<std::size_t>{};
    }

private:
    explicit SpeedUpView(SpeedUpPlot* plot)
        : SliceView(plot)
        , m_plot(plot)
    {
    }

    SpeedUpPlot* m_plot;
    model::Fit m_speedUp; ///< of the response that tells speed-ups
};

} // namespace

SpeedUpPlot::SpeedUpPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Speed-up over GPUs"));
    clear(tr("No factor is the number of GPUs."));
}

void SpeedUpPlot::setSpeedUp(const plan::SpeedUp& speedUp)
{
    if (speedUp.runs.empty())
        return clear(QString::fromStdString(speedUp.message));
    PanelBoard board;
    board.title = QString::fromStdString(plan::describeScaling(speedUp.scaling));
    board.panels.push_back(speedUpPanel(speedUp));
    board.legend = speedUpLegend(speedUp);
    board.table = typeset(plan::makeSpeedUpTable(speedUp));
    setBoard(std::move(board));
}

View* makeSpeedUpView()
{
    return new SpeedUpView;
}

} // namespace quadric::widgets
