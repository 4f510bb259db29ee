// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/half_normal_plot.h"

#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

QString signText(int sign)
{
    return sign < 0 ? HalfNormalPlot::tr("negative") : HalfNormalPlot::tr("positive");
}

TextTable tableOf(const model::HalfNormalPlot& plot)
{
    TextTable table;
    table.caption = HalfNormalPlot::tr("Half-normal plot of the effects");
    table.columns = {
        {HalfNormalPlot::tr("Term"), {}, false},
        {plot.isStandardized ? QStringLiteral("|t|") : HalfNormalPlot::tr("|Effect|"), {}, true},
        {HalfNormalPlot::tr("Sign"), {}, false},
        {HalfNormalPlot::tr("Score"), HalfNormalPlot::tr("Where noise of this rank would lie."), true}};
    for (const model::ScorePoint& point : plot.points)
        table.rows.push_back({termText(point.label), formatNumber(point.value), signText(point.sign),
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

PanelDot dotOf(const model::ScorePoint& point, const std::string& unit, bool isStandardized)
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
        panel.dots.push_back(dotOf(point, unit, plot.isStandardized));
    PanelBoard board;
    board.title = response;
    board.legend = {{LegendEntry::Sample::Dot, tr("not significant"), DotRole::Plain},
                    {.sample = LegendEntry::Sample::Line, .text = tr("noise"), .line = LineRole::Reference},
                    {LegendEntry::Sample::Dot, tr("significant"), DotRole::Outstanding}};
    board.panels.push_back(std::move(panel));
    board.table = tableOf(plot);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
