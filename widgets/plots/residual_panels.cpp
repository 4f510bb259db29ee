// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/residual_panels.h"

#include "core/model/base/histogram.h"
#include "core/model/fit/diagnostic_index.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/translate.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

QString residualName(bool isStudentized)
{
    return isStudentized ? tr("studentized residual") : tr("residual");
}

/// The residual axis has its zero in the middle, with the limits of chance where there are some.
PanelAxis residualAxis(const std::vector<double>& values, const ResidualScale& scale)
{
    double farthest = scale.test ? scale.test->ofAllRuns : 0.0;
    for (const double value : values)
        if (std::isfinite(value))
            farthest = std::max(farthest, std::abs(value));
    return {residualName(scale.isStudentized), scaleOver({-farthest, farthest}, false, 0.08)};
}

PanelDot runDot(double x, double residual, int run, const QString& xText, const ResidualScale& scale)
{
    QStringList lines{xText, namedValue(residualName(scale.isStudentized), residual)};
    const bool isOutlier = scale.test && std::ranges::count(scale.test->outliers, run) > 0;
    if (isOutlier)
        lines << tr("outlier: beyond the limit for all runs together");
    return {.x = x,
            .y = residual,
            .run = run,
            .tip = runTip(run, lines),
            .label = isOutlier ? QString::number(run) : QString()};
}

void addLevel(Panel& panel, double level, LineRole role)
{
    panel.lines.push_back(straightLine(panel.x.scale.low, level, panel.x.scale.high, level, role));
}

/// Zero, and how far residuals lie from it by chance.
void addLimits(Panel& panel, const ResidualScale& scale)
{
    addLevel(panel, 0.0, LineRole::Reference);
    for (const double sign : {-1.0, 1.0}) {
        if (!scale.test)
            return;
        addLevel(panel, sign * scale.test->ofOneRun, LineRole::SecondLimit);
        addLevel(panel, sign * scale.test->ofAllRuns, LineRole::Limit);
    }
}

} // namespace

ResidualScale residualScale(const model::Fit& fit, bool isStudentized)
{
    return {isStudentized, isStudentized ? model::testOutliers(fit) : std::nullopt};
}

std::vector<LegendEntry> residualLegend(const ResidualScale& scale)
{
    using Sample = LegendEntry::Sample;
    if (!scale.test)
        return {};
    return {{.sample = Sample::Line,
             .text = tr("95 % limit of one run ±%1").arg(scale.test->ofOneRun, 0, 'f', 2),
             .line = LineRole::SecondLimit},
            {.sample = Sample::Line,
             .text = tr("of all runs ±%1 (Bonferroni)").arg(scale.test->ofAllRuns, 0, 'f', 2),
             .line = LineRole::Limit}};
}

Panel normalPanel(const model::NormalPlot& residuals, const ResidualScale& scale)
{
    Panel panel;
    std::vector<double> values, scores;
    for (const model::ScorePoint& point : residuals.points) {
        values.push_back(point.value);
        scores.push_back(point.score);
        panel.dots.push_back(
            runDot(point.score, point.value, point.run, namedValue(tr("normal score"), point.score), scale));
    }
    panel.title = tr("Normal plot");
    panel.x = {tr("normal score"), scaleOver(scores, false, 0.08)};
    panel.y = residualAxis(values, {scale.isStudentized, std::nullopt});
    const auto at = [&residuals](double score) { return residuals.mean + residuals.sd * score; };
    const AxisScale& x = panel.x.scale;
    panel.lines.push_back(straightLine(x.low, at(x.low), x.high, at(x.high), LineRole::Reference));
    return panel;
}

Panel fittedPanel(const model::NormalPlot& residuals, const model::Fit& fit, const ResidualScale& scale)
{
    Panel panel;
    std::vector<double> values, fitted;
    const model::DiagnosticIndex diagnostics(fit);
    for (const model::ScorePoint& point : residuals.points) {
        const model::Diagnostic* diagnostic = diagnostics.find(point.run);
        if (diagnostic == nullptr)
            continue;
        values.push_back(point.value);
        fitted.push_back(diagnostic->fitted);
        panel.dots.push_back(runDot(diagnostic->fitted, point.value, point.run,
                                    namedValue(tr("fitted"), diagnostic->fitted), scale));
    }
    panel.title = tr("Against fitted values");
    panel.x = {tr("fitted value"), scaleOver(fitted, false, 0.06)};
    panel.y = residualAxis(values, scale);
    addLimits(panel, scale);
    return panel;
}

namespace {

/// Of the runs in the order of `residuals`; a value on an edge counts to its right, as in model::Histogram.
std::vector<int> runsBetween(const model::OrderPlot& residuals, double from, double to, bool isLast)
{
    std::vector<int> runs;
    for (std::size_t i = 0; i < residuals.runs.size(); ++i)
        if (const double value = residuals.residuals[i];
            value >= from && (value < to || (isLast && value <= to)))
            runs.push_back(residuals.runs[i]);
    return runs;
}

} // namespace

Panel histogramPanel(const model::OrderPlot& residuals)
{
    const model::Histogram histogram = model::histogram(residuals.residuals);
    Panel panel;
    panel.title = tr("Histogram");
    int most = 1;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const double from = histogram.edges[i];
        const double to = histogram.edges[i + 1];
        most = std::max(most, histogram.counts[i]);
        panel.bars.push_back(
            {.left = from,
             .right = to,
             .high = static_cast<double>(histogram.counts[i]),
             .tip = tr("%1 from %2 to %3")
                        .arg(formatCount(histogram.counts[i], "run"), formatNumber(from), formatNumber(to)),
             .runs = runsBetween(residuals, from, to, i + 1 == histogram.counts.size())});
    }
    panel.x = {residualName(residuals.isStudentized), scaleOver(histogram.edges, false, 0.02)};
    panel.y = {tr("runs"), {0.0, 1.08 * most}};
    return panel;
}

Panel orderPanel(const model::OrderPlot& residuals, const ResidualScale& scale)
{
    Panel panel;
    std::vector<double> orders;
    for (std::size_t i = 0; i < residuals.runs.size(); ++i) {
        const double order = residuals.orders[i];
        orders.push_back(order);
        panel.dots.push_back(runDot(order, residuals.residuals[i], residuals.runs[i],
                                    tr("order %1").arg(residuals.orders[i]), scale));
    }
    panel.title = tr("In run order");
    panel.x = {tr("run order"), scaleOver(orders, false, 0.04)};
    panel.y = residualAxis(residuals.residuals, scale);
    addLimits(panel, scale);
    if (residuals.driftLow && residuals.driftHigh)
        panel.lines.push_back(straightLine(orders.front(), *residuals.driftLow, orders.back(),
                                           *residuals.driftHigh, LineRole::Extrapolation));
    return panel;
}

LegendEntry driftEntry()
{
    return {.sample = LegendEntry::Sample::Line, .text = tr("drift"), .line = LineRole::Extrapolation};
}

} // namespace quadric::widgets
