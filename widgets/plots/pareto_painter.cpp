// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/pareto_painter.h"

#include "widgets/plots/custom_plot.h"
#include "widgets/plots/fitted_title.h"
#include "widgets/plots/limit_names.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kEdge = 0.6;      ///< bars beyond the middle of the first and the last one
constexpr double kBarWidth = 0.62; ///< of the distance between two bars
constexpr double kLimitFoot = 4.0; ///< between the names of the limits and the bars

/// Bars that carry their own look: solid for positive effects, hatched for negative ones.
class EffectBars : public QCPBars {
public:
    EffectBars(QCPAxis* keys, QCPAxis* values, std::vector<ParetoBar> bars, PlotStyle style)
        : QCPBars(keys, values)
        , m_bars(std::move(bars))
        , m_style(std::move(style))
    {
        for (std::size_t i = 0; i < m_bars.size(); ++i)
            addData(static_cast<double>(i), m_bars[i].length);
        setWidth(kBarWidth);
    }

protected:
    void draw(QCPPainter* painter) override;

private:
    std::vector<ParetoBar> m_bars;
    PlotStyle m_style;
};

void drawBar(QPainter& painter, const QRectF& area, bool isNegative, const QColor& color,
             const QColor& background)
{
    painter.setPen(QPen(color, 1.0));
    painter.setBrush(isNegative ? background : color);
    painter.drawRect(area);
    if (isNegative)
        drawHatch(painter, area, color, 5.0);
}

QColor barColor(const PlotStyle& style, bool isBeyondLimit)
{
    return isBeyondLimit ? style.colors.accent : blend(style.colors.axis, style.colors.background, 0.85);
}

void EffectBars::draw(QCPPainter* painter)
{
    painter->setAntialiasing(true);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const QRectF area = getBarRect(static_cast<double>(i), m_bars[i].length).normalized();
        drawBar(*painter, area, m_bars[i].isNegative, barColor(m_style, m_bars[i].isBeyondLimit),
                m_style.colors.background);
    }
}

double lengthOfAxis(const ParetoData& chart)
{
    double longest = chart.bars.front().length;
    for (const ParetoLimit& line : chart.limits)
        if (std::isfinite(line.value))
            longest = std::max(longest, line.value);
    return longest > 0.0 ? longest * 1.06 : 1.0;
}

double widestName(const ParetoData& chart, const QFontMetricsF& metrics)
{
    double width = 0.0;
    for (const ParetoBar& bar : chart.bars)
        width = std::max(width, metrics.horizontalAdvance(bar.name));
    return width;
}

/// The two samples and their words, right-aligned in the line; only the kinds that occur. Returns where they
/// begin.
double drawLegend(QPainter& painter, const QRectF& line, const PlotStyle& style, const ParetoData& chart)
{
    double right = line.right();
    const auto entry = [&](const QString& text, bool isNegative) {
        const double width = QFontMetricsF(style.small).horizontalAdvance(text);
        drawLine(painter, {right - width, line.top(), width + 1.0, line.height()},
                 Qt::AlignLeft | Qt::AlignVCenter, style.small, style.colors.mutedText, text);
        const QRectF sample(right - width - 20.0, line.center().y() - 4.5, 15.0, 9.0);
        drawBar(painter, sample, isNegative, style.colors.accent, style.colors.background);
        right = sample.left() - 12.0;
    };
    painter.setRenderHint(QPainter::Antialiasing);
    if (std::ranges::any_of(chart.bars, &ParetoBar::isNegative))
        entry(QStringLiteral("negative"), true);
    if (!std::ranges::all_of(chart.bars, &ParetoBar::isNegative))
        entry(QStringLiteral("positive"), false);
    return right;
}

/// The first limit is solid, the stricter one dashed.
QPen limitPen(const PlotStyle& style, std::size_t limit)
{
    return {style.colors.error, 1.2, limit == 0 ? Qt::SolidLine : Qt::DashLine};
}

/// Title of the axis, from where the axis begins if it has room there, and legend in one line at the bottom.
void drawFooter(QPainter& painter, const QRectF& area, double axis, const PlotStyle& style,
                const ParetoData& chart)
{
    QRectF line(area.left(), area.bottom() - style.lineHeight(), area.width(), style.lineHeight());
    line.setRight(drawLegend(painter, line, style, chart));
    const double middle = axis + QFontMetricsF(style.font).horizontalAdvance(chart.axisTitle) / 2.0;
    drawFittedTitle(painter, middle, line, style.font, style.colors.text, chart.axisTitle);
}

/// Names of the limits above the plot, beside their lines, which reach up to them.
void drawLimitNames(QPainter& painter, const QRectF& band, const PlotStyle& style, const ParetoData& chart,
                    const std::vector<double>& lines)
{
    const QFontMetricsF metrics(style.small);
    std::vector<LimitName> names;
    for (std::size_t i = 0; i < lines.size(); ++i)
        names.push_back({lines[i], metrics.horizontalAdvance(chart.limits[i].label) + 2.0});
    const std::vector<QRectF> places = placesOf(names, band.adjusted(0.0, 0.0, 0.0, -kLimitFoot));
    for (std::size_t i = 0; i < places.size(); ++i) {
        drawLine(painter, places[i], Qt::AlignCenter, style.small, style.colors.error, chart.limits[i].label);
        painter.setPen(limitPen(style, i));
        painter.drawLine(QPointF(lines[i], places[i].top() + 2.0), QPointF(lines[i], band.bottom()));
    }
}

void setUpKeys(QCPAxis& axis, const ParetoData& chart, double labelRoom, const PlotStyle& style)
{
    QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    for (std::size_t i = 0; i < chart.bars.size(); ++i)
        names->addTick(static_cast<double>(i),
                       QFontMetricsF(style.font).elidedText(chart.bars[i].name, Qt::ElideMiddle, labelRoom));
    styleAxis(axis, style);
    axis.setTicker(names);
    axis.setTickLabelFont(style.font);
    axis.setTickLabelColor(style.colors.text);
    axis.setTickPen(Qt::NoPen);
    axis.setTickLength(0, 0);
    axis.grid()->setVisible(false);
    axis.setRange(-kEdge, static_cast<double>(chart.bars.size()) - 1.0 + kEdge);
    axis.setRangeReversed(true);
}

void setUpValues(QCPAxis& axis, const ParetoData& chart, double length, const PlotStyle& style)
{
    const AxisScale scale{0.0, lengthOfAxis(chart), false};
    styleAxis(axis, style);
    axis.setRange(scale.low, scale.high);
    axis.setTicker(tickerOf(horizontalTicks(scale, length, QFontMetricsF(style.small))));
}

void addLimitLines(QCustomPlot& plot, const ParetoData& chart, const PlotStyle& style)
{
    for (const ParetoLimit& line : chart.limits) {
        auto* item = new QCPItemLine(&plot);
        item->setPen(limitPen(style, static_cast<std::size_t>(&line - chart.limits.data())));
        item->start->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->end->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->start->setCoords(line.value, 0.0);
        item->end->setCoords(line.value, 1.0);
    }
}

/// How many bars have room, and the line that says what is left out.
QString keepWhatFits(ParetoData& chart, double height, const PlotStyle& style)
{
    const auto room = static_cast<std::size_t>(std::max(1.0, height / (style.lineHeight() + 1.0)));
    if (chart.bars.size() <= room)
        return {};
    const std::size_t left = chart.bars.size() - room;
    chart.bars.resize(room);
    return QStringLiteral(" · %1 smaller not shown").arg(left);
}

/// Room above the bars for the limits' names, and below for axis and legend.
std::pair<double, double> roomAround(const PlotStyle& style)
{
    return {2.0 * style.smallHeight() + kLimitFoot, style.smallHeight() + style.lineHeight() + 14.0};
}

} // namespace

void paintPareto(QPainter& painter, const QRectF& area, const PlotStyle& style, ParetoData chart)
{
    const auto [band, bottom] = roomAround(style);
    chart.axisTitle += keepWhatFits(chart, area.height() - band - bottom, style);
    const double names = std::min(widestName(chart, QFontMetricsF(style.font)) + 2.0, area.width() * 0.38);

    QCustomPlot plot;
    preparePlot(plot, style);
    QCPAxisRect& rect = *plot.axisRect();
    rect.setAutoMargins(QCP::msNone);
    rect.setMargins(
        QMargins(static_cast<int>(names) + 8, static_cast<int>(band), 10, static_cast<int>(bottom)));
    setUpKeys(*plot.yAxis, chart, names, style);
    setUpValues(*plot.xAxis, chart, area.width() - names - 18.0, style);
    new EffectBars(plot.yAxis, plot.xAxis, chart.bars, style); // the plot owns it
    addLimitLines(plot, chart, style);
    drawCustomPlot(plot, painter, area);

    std::vector<double> lines;
    for (const ParetoLimit& line : chart.limits)
        lines.push_back(area.left() + plot.xAxis->coordToPixel(line.value));
    drawLimitNames(painter, {area.left(), area.top(), area.width(), band}, style, chart, lines);
    drawFooter(painter, area, area.left() + names + 8.0, style, chart);
}

int paretoBarAt(const QRectF& area, const PlotStyle& style, const ParetoData& chart, QPointF position)
{
    const auto [band, bottom] = roomAround(style);
    ParetoData shown = chart;
    const double height = area.height() - band - bottom;
    keepWhatFits(shown, height, style);
    const double bars = static_cast<double>(shown.bars.size());
    const double at = (position.y() - area.top() - band) / height * (bars - 1.0 + 2.0 * kEdge) - kEdge;
    const double nearest = std::round(at);
    const bool isInside = area.contains(position) && nearest >= 0.0 && nearest < bars;
    return isInside ? static_cast<int>(nearest) : -1;
}

} // namespace quadric::widgets
