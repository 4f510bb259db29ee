// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/effect_plots.h"

#include "core/model/fit/effects.h"
#include "core/report/tables/model_tables.h"
#include "core/report/tables/run_tables.h"
#include "widgets/base/theme.h"
#include "widgets/plots/base/curve_reading.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/plots/pareto_data.h"
#include "widgets/text/wording.h"

#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace quadric::widgets {

ParetoChart::ParetoChart(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Pareto chart of effects"));
    clear(tr("No effects yet."));
}

void ParetoChart::setFit(const model::Fit& fit)
{
    m_terms.clear();
    if (!fit.isOk() || fit.effects.empty())
        return clear(fit.message.empty() ? tr("The model has no effects to show.")
                                         : QString::fromStdString(fit.message));
    PanelBoard board;
    board.title = modelScaleName(fit);
    board.panels.push_back(paretoPanel(fit));
    const std::vector<PanelBar>& bars = board.panels.front().bars;
    if (!std::ranges::all_of(bars, &PanelBar::isHatched))
        board.legend.push_back({LegendEntry::Sample::Bar, tr("positive")});
    if (std::ranges::any_of(bars, &PanelBar::isHatched))
        board.legend.push_back({LegendEntry::Sample::HatchedBar, tr("negative")});
    if (std::ranges::any_of(bars, [](const PanelBar& bar) { return bar.role == BarRole::Weak; }))
        board.legend.push_back(
            {.sample = LegendEntry::Sample::Bar, .text = tr("not significant"), .bar = BarRole::Weak});
    board.table = typeset(report::makeEffectTable(fit));
    for (const model::RankedEffect& ranked : model::rankEffects(fit))
        m_terms.push_back(fit.effects[ranked.index].term);
    setBoard(std::move(board));
}

std::optional<QPointF> ParetoChart::locateBar(const std::string& term) const
{
    const auto found = std::ranges::find(m_terms, term);
    const PanelLayout layout = layoutOnScreen();
    if (found == m_terms.end() || layout.frames().empty())
        return {};
    const PanelBar& bar = board().panels.front().bars[static_cast<std::size_t>(found - m_terms.begin())];
    const QPointF middle =
        layout.frames().front().at((bar.left + bar.right) / 2.0, (bar.low + bar.high) / 2.0);
    return layout.frames().front().shows(middle) ? std::optional(middle) : std::nullopt;
}

/// The row under a position, as far as the panel is wide.
std::optional<std::size_t> ParetoChart::barAt(QPointF position) const
{
    const PanelLayout layout = layoutOnScreen();
    if (!layout.panelAt(position))
        return {};
    const PanelFrame& frame = layout.frames().front();
    const double y = frame.yScale.actualAt(frame.shareAt(position).y());
    const std::vector<PanelBar>& bars = board().panels.front().bars;
    const auto bar =
        std::ranges::find_if(bars, [y](const PanelBar& each) { return each.low <= y && y <= each.high; });
    return bar == bars.end() ? std::nullopt : std::optional(static_cast<std::size_t>(bar - bars.begin()));
}

void ParetoChart::contextMenuEvent(QContextMenuEvent* event)
{
    const std::optional<std::size_t> bar = barAt(event->pos());
    if (!bar)
        return PanelPlot::contextMenuEvent(event);
    const QString term = QString::fromStdString(m_terms[*bar]);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* drop = menu->addAction(tr("&Drop %1 from the model").arg(termText(m_terms[*bar])), this,
                                    [this, term] { emit dropRequested(term); });
    drop->setObjectName(QStringLiteral("dropTerm"));
    menu->addSeparator();
    addPlotActions(*menu, *this);
    menu->popup(event->globalPos());
}

namespace {

TextTable makeHalfNormalTable(const model::HalfNormalPlot& plot)
{
    TextTable table;
    table.caption = HalfNormalPlot::tr("Half-normal plot of the effects");
    table.columns = {
        {HalfNormalPlot::tr("Term"), {}, false},
        {plot.isStandardized ? QStringLiteral("|t|") : HalfNormalPlot::tr("|Effect|"), {}, true},
        {HalfNormalPlot::tr("Sign"), {}, false},
        {HalfNormalPlot::tr("Score"), HalfNormalPlot::tr("Where noise of this rank would lie."), true}};
    for (const model::ScorePoint& point : plot.points)
        table.rows.push_back(
            {termText(point.label), formatNumber(point.value),
             point.sign < 0 ? HalfNormalPlot::tr("negative") : HalfNormalPlot::tr("positive"),
             formatNumber(point.score)});
    return table;
}

/// "t 2.57", "ME 4.1".
QString limitText(const char* name, double value, bool isStandardized)
{
    return QString::fromLatin1(name) + QLatin1Char(' ') +
           (isStandardized ? QString::number(value, 'f', 2) : formatNumber(value));
}

/// The line of noise and the limits.
void addLines(Panel& panel, const model::HalfNormalPlot& plot)
{
    const double top = panel.y.scale.high;
    const double right = panel.x.scale.high;
    if (plot.slope && *plot.slope > 0.0) {
        const double end = std::min(top, right / *plot.slope);
        panel.lines.push_back(straightLine(0.0, 0.0, *plot.slope * end, end, LineRole::Reference));
    }
    if (plot.marginOfError)
        panel.lines.push_back(straightLine(
            *plot.marginOfError, 0.0, *plot.marginOfError, top, LineRole::Limit,
            limitText(plot.isStandardized ? "t" : "ME", *plot.marginOfError, plot.isStandardized)));
    if (plot.simultaneous)
        panel.lines.push_back(straightLine(
            *plot.simultaneous, 0.0, *plot.simultaneous, 0.9 * top, LineRole::SecondLimit,
            limitText(plot.isStandardized ? "Bonferroni" : "SME", *plot.simultaneous, plot.isStandardized)));
}

PanelDot makeScoreDot(const model::ScorePoint& point, const std::string& unit, bool isStandardized)
{
    const QString name = termText(point.label);
    PanelDot dot{.x = point.value, .y = point.score};
    dot.role = point.isActive ? DotRole::Outstanding : DotRole::Plain;
    dot.label =
        point.isActive ? name + (point.sign < 0 ? QStringLiteral(" −") : QStringLiteral(" +")) : QString();
    const QString size = isStandardized
                             ? HalfNormalPlot::tr("t = %1").arg(point.sign * point.value, 0, 'f', 2)
                             : namedValue(HalfNormalPlot::tr("effect"), point.sign * point.value, unit);
    dot.tip = name + QLatin1Char('\n') + size + QLatin1Char('\n') +
              (point.isActive ? HalfNormalPlot::tr("significant") : HalfNormalPlot::tr("not significant"));
    return dot;
}

double lastLineValue(const model::InteractionLine& line)
{
    return line.curve.mean.empty() ? 0.0 : line.curve.mean.back();
}

/// Adjusted means of the runs at this level of the second factor.
void addMeans(Panel& panel, const model::InteractionLine& line, int category)
{
    for (std::size_t i = 0; i < line.curve.adjustedAt.size(); ++i)
        panel.dots.push_back({.x = line.curve.adjustedAt[i],
                              .y = line.curve.adjustedMean[i],
                              .role = DotRole::Mean,
                              .tip = nameText(line.level) + QLatin1Char('\n') + adjustedTip(line.curve, i),
                              .category = category});
}

/// What the line of a pair that passes nearest to a place says there.
QString describeNearest(const model::InteractionPlot& pair, double x, double y)
{
    const auto nearest = std::ranges::min_element(pair.lines, {}, [x, y](const model::InteractionLine& line) {
        return std::abs(readCurve(line.curve, x).mean - y);
    });
    return nameText(nearest->level) + QLatin1Char('\n') + describeCurve(nearest->curve, x);
}

/// The curves of a pair differ by color and dashes and carry the value of the second factor at their end; of
/// one that is alone the legend says it.
Panel makeInteractionPanel(const model::InteractionPlot& pair, const AxisScale& response, bool isAlone)
{
    Panel panel;
    const model::EffectCurve& first = pair.lines.front().curve;
    panel.x = factorAxis(first);
    panel.y = {nameWithUnit(first.response, first.responseUnit), response};
    panel.title = nameText(first.factor) + QStringLiteral(" × ") + nameText(pair.by);
    const double lowest = lastLineValue(*std::ranges::min_element(pair.lines, {}, lastLineValue));
    for (std::size_t i = 0; i < pair.lines.size(); ++i) {
        const model::InteractionLine& line = pair.lines[i];
        addCurve(panel, line.curve, static_cast<int>(i));
        if (!isAlone) {
            panel.lines.back().label = levelText(line);
            panel.lines.back().isLabelBelow = lastLineValue(line) <= lowest;
        }
        addMeans(panel, line, static_cast<int>(i));
    }
    panel.reading = [pair](double x, double y) { return describeNearest(pair, x, y); };
    return panel;
}

std::vector<LegendEntry> makeInteractionLegend(const model::InteractionPlot& pair)
{
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < pair.lines.size(); ++i)
        legend.push_back({LegendEntry::Sample::Line,
                          nameText(pair.by) + QLatin1Char(' ') + levelText(pair.lines[i]), DotRole::Observed,
                          LineRole::Fit, static_cast<int>(i)});
    return legend;
}

std::vector<LegendEntry> interactionLegend(const std::vector<model::EffectCurve>& curves)
{
    using Sample = LegendEntry::Sample;
    std::vector<LegendEntry> legend;
    if (std::ranges::any_of(curves, [](const auto& curve) { return !curve.low.empty(); }))
        legend.push_back(
            {.sample = Sample::LineInBand, .text = InteractionPlot::tr("fit, 95 % band"), .category = 0});
    if (std::ranges::any_of(curves, [](const auto& curve) { return !curve.adjustedMean.empty(); }))
        legend.push_back({.sample = Sample::Dot,
                          .text = InteractionPlot::tr("runs, adjusted"),
                          .dot = DotRole::Mean,
                          .category = 0});
    return legend;
}

using LevelSummaries = std::vector<model::LevelSummary>;

constexpr double kHalfBox = 0.28; ///< of the room of a level
constexpr double kHalfWhisker = 0.12;
constexpr double kFarthestDot = 0.2; ///< from the middle, where there are many runs
constexpr double kDotsApart = 0.06;
constexpr std::size_t kFewestBoxed = 3; ///< fewer runs have no quartiles worth a box

PanelAxis levelAxis(const model::LevelSummary& summary)
{
    PanelAxis axis;
    axis.title = nameWithUnit(summary.factor, summary.factorUnit);
    axis.isCategory = true;
    axis.scale = {-0.5, static_cast<double>(summary.groups.size()) - 0.5, false};
    for (std::size_t i = 0; i < summary.groups.size(); ++i)
        axis.ticks.push_back({static_cast<double>(i), QString::fromStdString(summary.groups[i].level)});
    return axis;
}

AxisScale valueScale(const LevelSummaries& summaries)
{
    std::vector<double> values;
    for (const model::LevelSummary& summary : summaries)
        for (const model::LevelGroup& group : summary.groups)
            values.insert(values.end(), group.values.begin(), group.values.end());
    return scaleOver(values, false, 0.05);
}

void addBox(Panel& panel, double at, const model::BoxStatistics& box)
{
    const double left = at - kHalfBox, right = at + kHalfBox;
    const double low = box.lowerQuartile, high = box.upperQuartile;
    panel.bands.push_back({.x = {left, right}, .low = {low, low}, .high = {high, high}});
    panel.lines.push_back({.x = {left, right, right, left, left},
                           .y = {low, low, high, high, low},
                           .role = LineRole::Reference});
    for (const auto& [quartile, end] :
         {std::pair(low, box.lowerWhisker), std::pair(high, box.upperWhisker)}) {
        panel.lines.push_back(straightLine(at, quartile, at, end, LineRole::Reference));
        panel.lines.push_back(
            straightLine(at - kHalfWhisker, end, at + kHalfWhisker, end, LineRole::Reference));
    }
    panel.lines.push_back(straightLine(left, box.median, right, box.median, LineRole::Fit));
}

/// Side by side in the order of the runs, so that equal values do not hide each other.
void addRunDots(Panel& panel, double at, const model::LevelSummary& summary, const model::LevelGroup& group)
{
    const auto last = static_cast<double>(group.values.size() - 1);
    const double apart = last > 0.0 ? std::min(kDotsApart, 2.0 * kFarthestDot / last) : 0.0;
    for (std::size_t i = 0; i < group.values.size(); ++i) {
        QStringList lines{namedValue(nameText(summary.response), group.values[i], summary.responseUnit)};
        if (group.isDisturbed[i])
            lines << LevelPlot::tr("disturbed");
        panel.dots.push_back({.x = at + (static_cast<double>(i) - last / 2.0) * apart,
                              .y = group.values[i],
                              .run = group.runs[i],
                              .role = group.isDisturbed[i] ? DotRole::Faint : DotRole::Observed,
                              .tip = runTip(group.runs[i], lines)});
    }
}

Panel levelPanel(const model::LevelSummary& summary, const AxisScale& values)
{
    Panel panel;
    panel.x = levelAxis(summary);
    panel.y = {nameWithUnit(summary.response, summary.responseUnit), values};
    for (std::size_t i = 0; i < summary.groups.size(); ++i) {
        const auto at = static_cast<double>(i);
        if (summary.groups[i].values.size() >= kFewestBoxed)
            addBox(panel, at, summary.groups[i].box);
        addRunDots(panel, at, summary, summary.groups[i]);
    }
    return panel;
}

std::vector<LegendEntry> levelLegend(const LevelSummaries& summaries)
{
    const auto hasDisturbed = [](const model::LevelSummary& summary) {
        return std::ranges::any_of(summary.groups, [](const model::LevelGroup& group) {
            return std::ranges::find(group.isDisturbed, true) != group.isDisturbed.end();
        });
    };
    using Sample = LegendEntry::Sample;
    std::vector<LegendEntry> legend{{Sample::LineInBand, LevelPlot::tr("median, quartiles")},
                                    {Sample::Dot, LevelPlot::tr("run"), DotRole::Observed}};
    if (std::ranges::any_of(summaries, hasDisturbed))
        legend.push_back({Sample::Dot, LevelPlot::tr("disturbed run"), DotRole::Faint});
    return legend;
}

} // namespace

HalfNormalPlot::HalfNormalPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Half-normal plot of the effects"));
    clear(tr("No effects yet."));
}

void HalfNormalPlot::setPoints(const model::HalfNormalPlot& plot, const QString& response,
                               const std::string& unit)
{
    if (plot.points.empty())
        return clear(tr("The model has no effects to show."));
    std::vector<double> values{0.0}, scores{0.0};
    for (const std::optional<double>& limit : {plot.marginOfError, plot.simultaneous})
        if (limit)
            values.push_back(*limit);
    for (const model::ScorePoint& point : plot.points) {
        values.push_back(point.value);
        scores.push_back(point.score);
    }
    Panel panel;
    panel.x = {plot.isStandardized ? tr("standardized effect |t|")
                                   : nameWithUnit(tr("|effect|").toStdString(), unit),
               {0.0, scaleOver(values, false, 0.06).high}};
    panel.y = {tr("half-normal score"), {0.0, scaleOver(scores, false, 0.08).high}};
    addLines(panel, plot);
    for (const model::ScorePoint& point : plot.points)
        panel.dots.push_back(makeScoreDot(point, unit, plot.isStandardized));
    PanelBoard board;
    board.title = response;
    board.legend = {{LegendEntry::Sample::Dot, tr("not significant"), DotRole::Plain},
                    {.sample = LegendEntry::Sample::Line, .text = tr("noise"), .line = LineRole::Reference},
                    {LegendEntry::Sample::Dot, tr("significant"), DotRole::Outstanding}};
    board.panels.push_back(std::move(panel));
    board.table = makeHalfNormalTable(plot);
    setBoard(std::move(board));
}

QString levelText(const model::InteractionLine& line)
{
    return nameText(line.level).section(QStringLiteral(" = "), -1);
}

TextTable interactionTable(const std::vector<model::InteractionPlot>& pairs)
{
    TextTable table;
    table.caption = InteractionPlot::tr("Interactions");
    table.columns = curveColumns();
    table.columns.insert(table.columns.begin(),
                         {{InteractionPlot::tr("Along"), {}, false}, {InteractionPlot::tr("At"), {}, false}});
    for (const model::InteractionPlot& pair : pairs)
        for (const model::InteractionLine& line : pair.lines)
            addRows(table, line.curve,
                    {nameWithUnit(line.curve.factor, line.curve.unit), nameText(line.level)});
    return table;
}

InteractionPlot::InteractionPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Interactions"));
    clear(tr("No effects yet."));
}

void InteractionPlot::setPairs(const std::vector<model::InteractionPlot>& pairs)
{
    std::vector<model::EffectCurve> all;
    for (const model::InteractionPlot& pair : pairs)
        for (const model::InteractionLine& line : pair.lines)
            all.push_back(line.curve);
    if (all.empty())
        return clear(tr("Interactions need two factors."));
    PanelBoard board;
    board.title = nameWithUnit(all.front().response, all.front().responseUnit);
    board.legend = interactionLegend(all);
    if (pairs.size() == 1)
        std::ranges::copy(makeInteractionLegend(pairs.front()),
                          std::inserter(board.legend, board.legend.begin()));
    board.sharesY = true;
    const AxisScale response = responseScale(all);
    for (const model::InteractionPlot& pair : pairs)
        board.panels.push_back(makeInteractionPanel(pair, response, pairs.size() == 1));
    board.table = interactionTable(pairs);
    setBoard(std::move(board));
}

LevelPlot::LevelPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Observed values by level"));
    clear(tr("No runs yet."));
}

void LevelPlot::setLevels(const LevelSummaries& summaries)
{
    LevelSummaries shown = summaries;
    std::erase_if(shown, [](const model::LevelSummary& summary) { return summary.groups.empty(); });
    if (shown.empty())
        return clear(tr("No run has a result of this response yet."));
    PanelBoard board;
    board.sharesY = true;
    board.legend = levelLegend(shown);
    const AxisScale values = valueScale(shown);
    for (const model::LevelSummary& summary : shown)
        board.panels.push_back(levelPanel(summary, values));
    board.table = typeset(report::makeLevelTable(shown));
    setBoard(std::move(board));
}

} // namespace quadric::widgets
