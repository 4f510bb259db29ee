// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/custom_plot.h"

#include <QImage>
#include <QPaintEngine>
#include <QPicture>
#include <qcustomplot.h>

#include <optional>

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

QSharedPointer<QCPAxisTicker> tickerOf(const std::vector<Tick>& ticks)
{
    auto* ticker = new QCPAxisTickerText;
    for (const Tick& tick : ticks)
        ticker->addTick(tick.value, tick.label);
    return QSharedPointer<QCPAxisTicker>(ticker);
}

namespace {

/// The scale of a painter onto pixels that does nothing else than scale and move by whole ones.
std::optional<double> pixelScale(const QPainter& painter, const QPointF& corner)
{
    const QTransform toDevice = painter.deviceTransform();
    const QPointF at = toDevice.map(corner);
    const bool isRaster = painter.paintEngine()->type() == QPaintEngine::Raster;
    if (!isRaster || toDevice.type() > QTransform::TxScale || toDevice.m11() != toDevice.m22() ||
        at != at.toPoint())
        return {};
    return toDevice.m11();
}

void drawInto(QPaintDevice& device, QCustomPlot& plot, QSize size)
{
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNonCosmetic);
    plot.toPainter(&painter, size.width(), size.height());
}

} // namespace

void drawCustomPlot(QCustomPlot& plot, QPainter& painter, const QRectF& area)
{
    const QSize size = area.size().toSize();
    plot.setViewport({QPoint(0, 0), size});
    if (const std::optional<double> scale = pixelScale(painter, area.topLeft())) {
        static QImage image; // kept: while something is dragged, the next one is as large
        if (const QSize pixels = (QSizeF(size) * *scale).toSize(); image.size() != pixels)
            image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(*scale);
        image.fill(Qt::transparent);
        drawInto(image, plot, size);
        return painter.drawImage(area.topLeft(), image);
    }
    QPicture picture;
    drawInto(picture, plot, size);
    painter.drawPicture(area.topLeft(), picture);
}

} // namespace quadric::widgets
