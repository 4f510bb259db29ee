// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/live_chart.h"

#include "widgets/base/theme.h"

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineSeries>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kPadding = 0.1;       ///< of the range of the values, above and below
constexpr double kLeastPadding = 0.01; ///< of the largest value
constexpr int kTicks = 3;
constexpr double kRounding = 1e-9;
constexpr qreal kSmallText = 0.85;

QValueAxis* addAxis(QChart& chart, QLineSeries& line, Qt::Alignment side)
{
    auto* axis = new QValueAxis;
    axis->setTickCount(kTicks);
    chart.addAxis(axis, side);
    line.attachAxis(axis);
    return axis;
}

void colorAxis(QValueAxis& axis, const PlotColors& colors, const QFont& font)
{
    axis.setLinePen(QPen(colors.axis, 1));
    axis.setGridLinePen(QPen(colors.grid, 1));
    axis.setLabelsBrush(colors.mutedText);
    axis.setLabelsFont(font);
}

/// A range around the values, never empty, whose ends and middle are round numbers.
std::pair<double, double> roundRange(const std::vector<run::TimePoint>& points)
{
    const auto [lowest, highest] = std::ranges::minmax_element(points, {}, &run::TimePoint::value);
    const double padding = std::max((highest->value - lowest->value) * kPadding,
                                    std::abs(highest->value) * kLeastPadding + 1e-6);
    const double low = std::max(0.0, lowest->value - padding), high = highest->value + padding;
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
    QString unit;
    QLabel* value = nullptr;
    QChart* chart = nullptr;
    QLineSeries* line = nullptr;
    QValueAxis* x = nullptr;
    QValueAxis* y = nullptr;

    QWidget* makeView();
    void applyColors(const QWidget& widget);
};

QWidget* LiveChart::Parts::makeView()
{
    chart = new QChart;
    line = new QLineSeries;
    chart->legend()->hide();
    chart->setMargins({0, 0, 0, 0});
    chart->addSeries(line);
    x = addAxis(*chart, *line, Qt::AlignBottom);
    y = addAxis(*chart, *line, Qt::AlignLeft);
    auto* view = new QChartView(chart);
    view->setRenderHint(QPainter::Antialiasing);
    view->setBackgroundBrush(Qt::NoBrush);
    view->setFrameShape(QFrame::NoFrame);
    view->setFocusPolicy(Qt::NoFocus);
    return view;
}

void LiveChart::Parts::applyColors(const QWidget& widget)
{
    const PlotColors colors = plotColors(widget.palette());
    QFont small = widget.font();
    small.setPointSizeF(small.pointSizeF() * kSmallText);
    chart->setBackgroundBrush(Qt::NoBrush);
    line->setPen(QPen(colors.accent, 1.5));
    colorAxis(*x, colors, small);
    colorAxis(*y, colors, small);
}

LiveChart::LiveChart(const QString& title, const QString& unit, QWidget* parent)
    : QWidget(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->unit = unit;
    m_parts->value = new QLabel(this);
    auto* header = new QHBoxLayout;
    header->addWidget(new QLabel(title, this));
    header->addStretch(1);
    header->addWidget(m_parts->value);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(header);
    layout->addWidget(m_parts->makeView(), 1);
    setAccessibleName(title);
    setMinimumSize(200, 112);
    m_parts->applyColors(*this);
}

LiveChart::~LiveChart() = default;

void LiveChart::setPoints(const std::vector<run::TimePoint>& points)
{
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
    m_parts->value->setText(
        QStringLiteral("%1\u00a0%2").arg(formatNumber(points.back().value), m_parts->unit));
}

void LiveChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_parts)
        m_parts->applyColors(*this);
}

} // namespace quadric::widgets
