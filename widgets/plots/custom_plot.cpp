// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/custom_plot.h"

#include <QPicture>
#include <qcustomplot.h>

#include <cmath>

namespace quadric::widgets {

void preparePlot(QCustomPlot& plot, const PlotStyle& style)
{
    plot.setBackground(Qt::NoBrush);
    plot.setFont(style.font);
    plot.plotLayout()->setAutoMargins(QCP::msNone);
    plot.plotLayout()->setMargins({});
    plot.setAntialiasedElements(QCP::aePlottables | QCP::aeItems);
}

void styleAxis(QCPAxis& axis, const PlotStyle& style)
{
    const QPen line(style.colors.axis, 1.0);
    axis.setBasePen(line);
    axis.setTickPen(line);
    axis.setSubTicks(false);
    axis.setTickLength(0, 4);
    axis.setTickLabelFont(style.small);
    axis.setTickLabelColor(style.colors.mutedText);
    axis.setTickLabelPadding(4);
    axis.setLabelFont(style.font);
    axis.setLabelColor(style.colors.text);
    axis.setLabelPadding(3);
    axis.grid()->setPen(QPen(style.colors.grid, 1.0));
    axis.grid()->setZeroLinePen(Qt::NoPen);
}

QSharedPointer<QCPAxisTicker> tickerOf(const std::vector<Tick>& ticks, bool isLog2)
{
    auto* ticker = new QCPAxisTickerText;
    for (const Tick& tick : ticks)
        ticker->addTick(isLog2 ? std::log2(tick.value) : tick.value, tick.label);
    return QSharedPointer<QCPAxisTicker>(ticker);
}

void drawCustomPlot(QCustomPlot& plot, QPainter& painter, const QRectF& area)
{
    const QSize size = area.size().toSize();
    plot.setViewport({QPoint(0, 0), size});
    QPicture picture;
    QCPPainter recorder(&picture);
    recorder.setMode(QCPPainter::pmVectorized);
    recorder.setMode(QCPPainter::pmNonCosmetic);
    plot.toPainter(&recorder, size.width(), size.height());
    recorder.end();
    painter.drawPicture(area.topLeft(), picture);
}

} // namespace quadric::widgets
