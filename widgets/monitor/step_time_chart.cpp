// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/step_time_chart.h"

#include "widgets/base/theme.h"

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QLabel>
#include <QLineSeries>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kPadding = 0.1; ///< of the range of the samples, above and below

QValueAxis* addAxis(QChart& chart, QLineSeries& line, Qt::Alignment side, const QString& title)
{
    auto* axis = new QValueAxis;
    axis->setTitleText(title);
    chart.addAxis(axis, side);
    line.attachAxis(axis);
    return axis;
}

void colorAxis(QValueAxis& axis, const PlotColors& colors, const QFont& font)
{
    axis.setLinePen(QPen(colors.axis, 1));
    axis.setGridLinePen(QPen(colors.grid, 1));
    axis.setLabelsBrush(colors.mutedText);
    axis.setTitleBrush(colors.mutedText);
    axis.setLabelsFont(font);
    axis.setTitleFont(font);
}

/// Range that the samples fill, never empty.
std::pair<double, double> paddedRange(const std::vector<double>& samples)
{
    const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
    const double padding = std::max((*high - *low) * kPadding, *high * 0.01 + 1e-6);
    return {std::max(0.0, *low - padding), *high + padding};
}

} // namespace

struct StepTimeChart::Parts {
    QLabel* title = nullptr;
    QLabel* hint = nullptr;
    QStackedLayout* stack = nullptr;
    QChart* chart = nullptr;
    QLineSeries* line = nullptr;
    QValueAxis* x = nullptr;
    QValueAxis* y = nullptr;

    void applyColors(const QWidget& widget);
};

void StepTimeChart::Parts::applyColors(const QWidget& widget)
{
    const PlotColors colors = plotColors(widget.palette());
    QFont small = widget.font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    chart->setBackgroundBrush(Qt::NoBrush);
    line->setPen(QPen(colors.accent, 1.5));
    colorAxis(*x, colors, small);
    colorAxis(*y, colors, small);
}

StepTimeChart::StepTimeChart(QWidget* parent)
    : QWidget(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->title = new QLabel(this);
    m_parts->hint = new QLabel(this);
    m_parts->hint->setAlignment(Qt::AlignCenter);
    m_parts->hint->setWordWrap(true);
    m_parts->hint->setForegroundRole(QPalette::PlaceholderText);
    m_parts->chart = new QChart;
    m_parts->line = new QLineSeries;
    m_parts->chart->legend()->hide();
    m_parts->chart->setMargins({0, 0, 0, 0});
    m_parts->chart->addSeries(m_parts->line);
    m_parts->x = addAxis(*m_parts->chart, *m_parts->line, Qt::AlignBottom, tr("Step"));
    m_parts->y = addAxis(*m_parts->chart, *m_parts->line, Qt::AlignLeft, tr("Step time, ms"));
    m_parts->x->setLabelFormat(QStringLiteral("%d"));
    auto* view = new QChartView(m_parts->chart);
    view->setRenderHint(QPainter::Antialiasing);
    view->setBackgroundBrush(Qt::NoBrush);
    view->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_parts->title);
    m_parts->stack = new QStackedLayout;
    m_parts->stack->addWidget(m_parts->hint);
    m_parts->stack->addWidget(view);
    layout->addLayout(m_parts->stack, 1);
    m_parts->applyColors(*this);
}

StepTimeChart::~StepTimeChart() = default;

void StepTimeChart::setSamples(const QString& title, const std::vector<double>& milliseconds,
                               const QString& hint)
{
    m_parts->title->setText(title);
    m_parts->hint->setText(hint);
    m_parts->stack->setCurrentIndex(milliseconds.size() < 2 ? 0 : 1);
    if (milliseconds.size() < 2)
        return;
    QList<QPointF> points;
    for (std::size_t i = 0; i < milliseconds.size(); ++i)
        points << QPointF(static_cast<double>(i + 1), milliseconds[i]);
    m_parts->line->replace(points);
    const auto [low, high] = paddedRange(milliseconds);
    m_parts->x->setRange(1, static_cast<double>(milliseconds.size()));
    m_parts->y->setRange(low, high);
    m_parts->y->applyNiceNumbers();
    m_parts->y->setLabelFormat(high - low < 5 ? QStringLiteral("%.2f") : QStringLiteral("%.0f"));
}

void StepTimeChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_parts)
        m_parts->applyColors(*this);
}

} // namespace quadric::widgets
