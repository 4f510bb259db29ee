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
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kPadding = 0.1;       ///< of the range of the values, above and below
constexpr double kLeastPadding = 0.01; ///< of the largest value
constexpr int kTicks = 3;
constexpr double kRounding = 1e-9;
constexpr double kMargin = 8.0;     ///< pixels beside the header
constexpr double kMarkRoom = 112.0; ///< pixels of the mark of simulated data

QValueAxis* addAxis(QChart& chart, QLineSeries& line, Qt::Alignment side)
{
    auto* axis = new QValueAxis;
    axis->setTickCount(kTicks);
    chart.addAxis(axis, side);
    line.attachAxis(axis);
    return axis;
}

void dress(QValueAxis& axis, const PlotStyle& style)
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
    QGraphicsScene* scene = nullptr;
    QChart* chart = nullptr;
    QLineSeries* line = nullptr;
    QValueAxis* x = nullptr;
    QValueAxis* y = nullptr;

    void makeChart(QObject* owner);
    void dressFor(const PlotStyle& style, const QSizeF& size);
    QString header(double room, const QFont& font) const;
};

/// A chart that no view shows: it is drawn by paintTo() alone, on the screen as in files.
void LiveChart::Parts::makeChart(QObject* owner)
{
    scene = new QGraphicsScene(owner);
    chart = new QChart;
    line = new QLineSeries;
    chart->legend()->hide();
    chart->setMargins({0, 0, 0, 0});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundBrush(Qt::NoBrush);
    chart->addSeries(line);
    x = addAxis(*chart, *line, Qt::AlignBottom);
    y = addAxis(*chart, *line, Qt::AlignLeft);
    scene->addItem(chart);
}

void LiveChart::Parts::dressFor(const PlotStyle& style, const QSizeF& size)
{
    line->setPen(QPen(style.colors.accent, 1.5));
    dress(*x, style);
    dress(*y, style);
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
    if (points.empty())
        return update();
    QList<QPointF> list;
    for (const run::TimePoint& point : points)
        list << QPointF(point.seconds, point.value);
    m_parts->line->replace(list);
    const auto [low, high] = roundRange(points);
    const double start = points.front().seconds;
    const double end = std::max(points.back().seconds, start + 1.0);
    m_parts->x->setRange(start, end);
    m_parts->x->setLabelFormat(timeFormat(end - start));
    m_parts->y->setRange(low, high);
    m_parts->y->setLabelFormat(labelFormat(high - low));
    update();
}

void LiveChart::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const double room = target.width() - (isSimulated() ? kMarkRoom : 0.0) - 2.0 * kMargin;
    const QRectF below = paintHeader(painter, target, style, m_parts->header(room, style.title));
    const QRectF area = below.adjusted(kMargin / 2.0, 0.0, -kMargin / 2.0, -kMargin / 4.0);
    if (m_parts->points.empty()) {
        drawReason(painter, area, style, tr("No data"));
    } else {
        m_parts->dressFor(style, area.size());
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
    return table;
}

QSize LiveChart::sizeHint() const
{
    return {240, 140};
}

} // namespace quadric::widgets
