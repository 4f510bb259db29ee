// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/diagnostic_plots.h"

#include "core/model/base/distributions.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/tables/model_tables.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

/// Why a fit has no residuals to look at; empty when it has.
QString explainNoResiduals(const model::Fit& fit)
{
    if (!fit.isOk())
        return QString::fromStdString(fit.message);
    if (fit.dfResidual == 0)
        return ResidualPlot::tr(
            "The model goes through every run exactly: no residuals are left to look at.");
    return {};
}

std::vector<LegendEntry> makeOrderLegend(const ResidualScale& scale, const model::OrderPlot& order)
{
    std::vector<LegendEntry> legend = residualLegend(scale);
    if (order.driftLow)
        legend.push_back(driftEntry());
    return legend;
}

QString driftText(const model::Fit& fit)
{
    const std::optional<report::Finding> finding = report::checkDrift(fit);
    return finding ? QString::fromStdString(finding->sentence)
                   : RunOrderPlot::tr("Drift cannot be judged here.");
}

constexpr double kShownDrop = 25.0;  ///< of the log likelihood below its peak: what lies deeper says nothing
constexpr double kFewestShown = 0.7; ///< powers at either side of the peak, however steep it is
constexpr double kEdge = 5.0;        ///< of the powers that are tried

/// What powers are told with: half the interval decides their digits.
double powerUncertainty(const model::BoxCox& profile)
{
    return profile.low && profile.high ? std::max(1e-6, (*profile.high - *profile.low) / 2.0) : 0.5;
}

QString intervalText(const model::BoxCox& profile)
{
    const auto end = [uncertainty = powerUncertainty(profile)](const std::optional<double>& value,
                                                               const char* beyond) {
        return value ? formatNumber(*value, uncertainty) : QString::fromUtf8(beyond);
    };
    return BoxCoxPlot::tr("95 %: %1 to %2").arg(end(profile.low, "< −5"), end(profile.high, "> 5"));
}

/// From the powers whose likelihood is worth seeing to the one in use.
std::pair<double, double> shownPowers(const model::BoxCox& profile, double used)
{
    const double peak = std::ranges::max(profile.logLikelihood);
    double low = std::min(used, profile.lambda - kFewestShown);
    double high = std::max(used, profile.lambda + kFewestShown);
    for (std::size_t i = 0; i < profile.powers.size(); ++i)
        if (profile.logLikelihood[i] >= peak - kShownDrop) {
            low = std::min(low, profile.powers[i]);
            high = std::max(high, profile.powers[i]);
        }
    return {std::max(low, -kEdge), std::min(high, kEdge)};
}

TextTable makeBoxCoxTable(const model::BoxCox& profile)
{
    TextTable table;
    table.caption = BoxCoxPlot::tr("Box–Cox profile");
    table.columns = {{BoxCoxPlot::tr("Power"), {}, true}, {BoxCoxPlot::tr("Log likelihood"), {}, true}};
    for (std::size_t i = 0; i < profile.powers.size(); ++i)
        table.rows.push_back({formatNumber(profile.powers[i]), formatNumber(profile.logLikelihood[i])});
    table.note = intervalText(profile);
    return table;
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

PredictedPlot::PredictedPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Predicted vs. observed"));
    clear(tr("No model yet."));
}

void PredictedPlot::setFit(const model::Fit& fit)
{
    if (!fit.isOk() || fit.diagnostics.empty())
        return clear(QString::fromStdString(fit.message));
    std::vector<double> values;
    Panel panel;
    for (const model::Diagnostic& each : fit.diagnostics) {
        values.insert(values.end(), {each.observed, each.fitted});
        panel.dots.push_back({.x = each.observed,
                              .y = each.fitted,
                              .run = each.run,
                              .tip = runTip(each.run, {namedValue(tr("observed"), each.observed),
                                                       namedValue(tr("predicted"), each.fitted)})});
    }
    const AxisScale scale = scaleOver(values, false, 0.05);
    panel.x = {tr("observed"), scale};
    panel.y = {tr("predicted"), scale};
    panel.lines.push_back(straightLine(scale.low, scale.low, scale.high, scale.high, LineRole::Reference));
    PanelBoard board;
    board.title = modelScaleName(fit);
    board.legend = {{LegendEntry::Sample::Dot, tr("run")},
                    {.sample = LegendEntry::Sample::Line,
                     .text = tr("predicted = observed"),
                     .line = LineRole::Reference}};
    board.panels.push_back(std::move(panel));
    board.table = typeset(report::makeCaseTable(fit));
    setBoard(std::move(board));
}

ResidualPlot::ResidualPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Residual plots"));
    clear(tr("No model yet."));
}

void ResidualPlot::setFit(const model::Fit& fit)
{
    const QString reason = explainNoResiduals(fit);
    if (!reason.isEmpty())
        return clear(reason);
    const model::NormalPlot normal = model::normalPlot(fit);
    const model::OrderPlot order = model::orderPlot(fit);
    PanelBoard board;
    const ResidualScale scale = residualScale(fit, order.isStudentized);
    board.title = modelScaleName(fit);
    board.columns = 2;
    board.panels = {normalPanel(normal, scale), fittedPanel(normal, fit, scale), histogramPanel(order),
                    orderPanel(order, scale)};
    board.legend = makeOrderLegend(scale, order);
    board.table = typeset(report::makeCaseTable(fit));
    setBoard(std::move(board));
}

RunOrderPlot::RunOrderPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Residuals in run order"));
    clear(tr("No model yet."));
}

void RunOrderPlot::setFit(const model::Fit& fit)
{
    const QString reason = explainNoResiduals(fit);
    if (!reason.isEmpty())
        return clear(reason);
    const model::OrderPlot order = model::orderPlot(fit);
    PanelBoard board;
    board.title = modelScaleName(fit);
    const ResidualScale scale = residualScale(fit, order.isStudentized);
    board.panels = {orderPanel(order, scale)};
    board.legend = makeOrderLegend(scale, order);
    board.panels.front().title.clear();
    board.panels.front().note = driftText(fit);
    board.table = typeset(report::makeCaseTable(fit));
    setBoard(std::move(board));
}

BoxCoxPlot::BoxCoxPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Box–Cox profile"));
    clear(tr("No model yet."));
}

void BoxCoxPlot::setProfile(const model::Fit& fit, const model::BoxCox& profile)
{
    const double used = model::powerOf(fit.transform);
    const auto [least, most] = shownPowers(profile, used);
    const model::BoxCoxCurve curve = model::boxCoxCurve(fit, profile, least, most);
    if (curve.powers.empty())
        return clear(tr("The profile has no values to show."));
    Panel panel;
    panel.x = {tr("power λ of the response"), scaleOver(curve.powers, false, 0.04)};
    panel.y = {tr("log likelihood"), scaleOver(curve.logLikelihood, false, 0.08)};
    const double low = panel.y.scale.low;
    const double high = panel.y.scale.high;
    const double from = profile.low.value_or(panel.x.scale.low);
    const double to = profile.high.value_or(panel.x.scale.high);
    panel.bands.push_back({{from, to}, {low, low}, {high, high}});
    panel.lines.push_back({.x = curve.powers, .y = curve.logLikelihood});
    panel.lines.push_back(straightLine(used, low, used, high, LineRole::Reference,
                                       tr("in use: %1").arg(transformText(fit.transform))));
    panel.dots.push_back(
        {.x = profile.lambda,
         .y = std::ranges::max(curve.logLikelihood),
         .role = DotRole::Outstanding,
         .tip = tr("likeliest power %1").arg(formatNumber(profile.lambda, powerUncertainty(profile)))});
    PanelBoard board;
    board.title = nameText(fit.response);
    board.legend = {{LegendEntry::Sample::LineInBand, intervalText(profile)},
                    {LegendEntry::Sample::Dot, tr("likeliest power"), DotRole::Outstanding}};
    board.panels.push_back(std::move(panel));
    board.table = makeBoxCoxTable(profile);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
