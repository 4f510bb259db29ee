// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/live_chart.h"

#include "widgets/plots/base/plot_style.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kPadding = 0.1;       ///< of the range of the values, above and below
constexpr double kLeastPadding = 0.01; ///< of the largest value
constexpr int kTicks = 3;
constexpr double kRounding = 1e-9;
constexpr double kMargin = 8.0;     ///< pixels beside the header
constexpr double kMarkRoom = 112.0; ///< pixels of the mark of simulated data

constexpr double kSampleWidth = 22.0; ///< pixels of a line in the legend
constexpr std::array kOtherPens = {Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
static_assert(kOtherPens.size() == run::kMostComparedRuns);

QValueAxis* addAxis(QChart& chart, const std::vector<QLineSeries*>& lines, Qt::Alignment side)
{
    auto* axis = new QValueAxis;
    axis->setTickCount(kTicks);
    chart.addAxis(axis, side);
    for (QLineSeries* line : lines)
        line->attachAxis(axis);
    return axis;
}

QList<QPointF> toChartPoints(const std::vector<run::TimePoint>& points)
{
    QList<QPointF> places;
    for (const run::TimePoint& point : points)
        places << QPointF(point.seconds, point.value);
    return places;
}

QPen otherPen(const PlotStyle& style, std::size_t place)
{
    return {style.colors.mutedText, 1.5, kOtherPens.at(place)};
}

void styleChartAxis(QValueAxis& axis, const PlotStyle& style)
{
    axis.setLinePen(QPen(style.colors.axis, 1));
    axis.setGridLinePen(QPen(style.colors.grid, 1));
    axis.setLabelsBrush(style.colors.mutedText);
    axis.setLabelsFont(style.small);
}

/// A range around the values, never empty, whose ends and middle are round numbers.
std::pair<double, double> roundRange(const std::vector<run::TimePoint>& points)
{
    const auto [lowest, highest] = std::ranges::minmax_element(points, {}, &run::TimePoint::value);
    const double padding = std::max((highest->value - lowest->value) * kPadding,
                                    std::abs(highest->value) * kLeastPadding + 1e-6);
    const double least = lowest->value < 0.0 ? lowest->value - padding : 0.0;
    const double low = std::max(least, lowest->value - padding), high = highest->value + padding;
    double step = std::pow(10.0, std::floor(std::log10((high - low) / 2.0)));
    for (int i = 0; std::floor(low / step) * step + 2.0 * step < high; ++i)
        step *= i % 3 == 1 ? 2.5 : 2.0; // 1, 2, 5, 10, …
    return {std::floor(low / step) * step, std::floor(low / step) * step + 2.0 * step};
}

/// Digits that tell the ticks of a round range of this width apart.
QString labelFormat(double width)
{
    const double digits = -std::floor(std::log10(width / (kTicks - 1)) + kRounding);
    return QStringLiteral("%.%1f").arg(std::max(0, static_cast<int>(digits)));
}

/// The same for seconds, whose range ends where the run does.
QString timeFormat(double seconds)
{
    constexpr double kShort = 10.0;
    return seconds < kShort ? QStringLiteral("%.1f s") : QStringLiteral("%.0f s");
}

} // namespace

struct LiveChart::Parts {
    QString title, unit;
    std::vector<run::TimePoint> points;
    std::vector<OtherLine> others;
    QGraphicsScene* scene = nullptr;
    QChart* chart = nullptr;
    QLineSeries* line = nullptr;
    std::vector<QLineSeries*> otherLines;
    QValueAxis* x = nullptr;
    QValueAxis* y = nullptr;

    void makeChart(QObject* owner);
    void applyChartStyle(const PlotStyle& style, const QSizeF& size);
    QString header(double room, const QFont& font) const;
    void fitAxes();
    QRectF paintLegend(QPainter& painter, const QRectF& area, const PlotStyle& style) const;
};

/// A chart that no view shows: it is drawn by paintTo() alone, on the screen as in files.
void LiveChart::Parts::makeChart(QObject* owner)
{
    scene = new QGraphicsScene(owner);
    chart = new QChart;
    line = new QLineSeries;
    for (std::size_t i = 0; i < run::kMostComparedRuns; ++i)
        otherLines.push_back(new QLineSeries);
    chart->legend()->hide();
    chart->setMargins({0, 0, 0, 0});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundBrush(Qt::NoBrush);
    std::vector<QLineSeries*> all = otherLines;
    all.push_back(line); // in front
    for (QLineSeries* each : all)
        chart->addSeries(each);
    x = addAxis(*chart, all, Qt::AlignBottom);
    y = addAxis(*chart, all, Qt::AlignLeft);
    scene->addItem(chart);
}

void LiveChart::Parts::applyChartStyle(const PlotStyle& style, const QSizeF& size)
{
    line->setPen(QPen(style.colors.accent, 1.5));
    for (std::size_t i = 0; i < otherLines.size(); ++i)
        otherLines[i]->setPen(otherPen(style, i));
    styleChartAxis(*x, style);
    styleChartAxis(*y, style);
    chart->resize(size);
    chart->layout()->activate();
}

/// The title and the last value, without its unit where there is no room for it.
QString LiveChart::Parts::header(double room, const QFont& font) const
{
    if (points.empty())
        return title;
    const QString value = title + QStringLiteral(": ") + formatNumber(points.back().value);
    const QString whole = value + QChar(0xa0) + unit;
    return QFontMetricsF(font).horizontalAdvance(whole) < room ? whole : value;
}

LiveChart::LiveChart(const QString& title, const QString& unit, QWidget* parent)
    : Plot(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->title = title;
    m_parts->unit = unit;
    m_parts->makeChart(this);
    setAccessibleName(title);
    setMinimumSize(200, 132);
}

LiveChart::~LiveChart() = default;

void LiveChart::setUnit(const QString& unit)
{
    m_parts->unit = unit;
}

void LiveChart::setPoints(const std::vector<run::TimePoint>& points)
{
    m_parts->points = points;
    m_parts->line->replace(toChartPoints(points));
    m_parts->fitAxes();
    update();
}

void LiveChart::setOthers(std::vector<OtherLine> others)
{
    std::erase_if(others, [](const OtherLine& other) { return other.points.size() < 2; });
    others.resize(std::min(others.size(), run::kMostComparedRuns));
    m_parts->others = std::move(others);
    for (std::size_t i = 0; i < m_parts->otherLines.size(); ++i)
        m_parts->otherLines[i]->replace(i < m_parts->others.size() ? toChartPoints(m_parts->others[i].points)
                                                                   : QList<QPointF>());
    m_parts->fitAxes();
    update();
}

/// Around the lines of all runs.
void LiveChart::Parts::fitAxes()
{
    if (points.empty())
        return;
    std::vector<run::TimePoint> all = points;
    for (const OtherLine& other : others)
        all.insert(all.end(), other.points.begin(), other.points.end());
    const auto [low, high] = roundRange(all);
    const auto [first, last] = std::ranges::minmax_element(all, {}, &run::TimePoint::seconds);
    const double start = first->seconds;
    const double end = std::max(last->seconds, start + 1.0);
    x->setRange(start, end);
    x->setLabelFormat(timeFormat(end - start));
    y->setRange(low, high);
    y->setLabelFormat(labelFormat(high - low));
}

/// Which line belongs to which run, on a line of its own; what is left of the area.
QRectF LiveChart::Parts::paintLegend(QPainter& painter, const QRectF& area, const PlotStyle& style) const
{
    if (others.empty())
        return area;
    const QFontMetricsF metrics(style.small);
    const double middle = area.top() + metrics.height() / 2.0;
    double left = area.left() + kMargin / 2.0;
    painter.setFont(style.small);
    for (std::size_t i = 0; i < others.size(); ++i) {
        painter.setPen(otherPen(style, i));
        painter.drawLine(QPointF(left, middle), QPointF(left + kSampleWidth, middle));
        left += kSampleWidth + kMargin / 2.0;
        const double width = metrics.horizontalAdvance(others[i].name);
        painter.setPen(style.colors.mutedText);
        painter.drawText(QRectF(left, area.top(), width + 1.0, metrics.height()), Qt::AlignVCenter,
                         others[i].name);
        left += width + kMargin;
    }
    return area.adjusted(0.0, metrics.height(), 0.0, 0.0);
}

void LiveChart::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const double room = target.width() - (isSimulated() ? kMarkRoom : 0.0) - 2.0 * kMargin;
    const QRectF below = paintHeader(painter, target, style, m_parts->header(room, style.title));
    const QRectF whole = below.adjusted(kMargin / 2.0, 0.0, -kMargin / 2.0, -kMargin / 4.0);
    const QRectF area = m_parts->points.empty() ? whole : m_parts->paintLegend(painter, whole, style);
    if (m_parts->points.empty()) {
        drawReason(painter, area, style, tr("No data"));
    } else {
        m_parts->applyChartStyle(style, area.size());
        painter.setRenderHint(QPainter::Antialiasing);
        m_parts->scene->render(&painter, area, QRectF(QPointF(0.0, 0.0), area.size()));
    }
    painter.restore();
}

TextTable LiveChart::table() const
{
    TextTable table;
    if (m_parts->points.empty())
        return table;
    table.caption = m_parts->title;
    table.columns = {{tr("Time (s)"), {}, true},
                     {QStringLiteral("%1 (%2)").arg(m_parts->title, m_parts->unit), {}, true}};
    for (const run::TimePoint& point : m_parts->points)
        table.rows.push_back({formatNumber(point.seconds), formatNumber(point.value)});
    if (m_parts->others.empty())
        return table;
    table.columns.push_back({tr("Run"), {}, false});
    for (auto& row : table.rows)
        row.push_back(tr("this run"));
    for (const OtherLine& other : m_parts->others) {
        for (const run::TimePoint& point : other.points)
            table.rows.push_back({formatNumber(point.seconds), formatNumber(point.value), other.name});
    }
    return table;
}

std::vector<OtherLine>
collectOtherLines(const std::vector<run::ComparedRun>& runs,
                  const std::function<std::vector<run::TimePoint>(const run::RunSamples&)>& seriesIn)
{
    std::vector<OtherLine> lines;
    lines.reserve(runs.size());
    for (const run::ComparedRun& each : runs)
        lines.push_back({LiveChart::tr("run %1").arg(each.run), seriesIn(each.samples)});
    return lines;
}

} // namespace quadric::widgets
