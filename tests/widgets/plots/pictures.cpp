// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>

namespace quadric::samples {

namespace {

std::vector<QPoint> pixelsOf(const QImage& image, const QColor& color, QRect area)
{
    const QRect searched = area.isEmpty() ? image.rect() : area.intersected(image.rect());
    std::vector<QPoint> found;
    for (int y = searched.top(); y <= searched.bottom(); ++y)
        for (int x = searched.left(); x <= searched.right(); ++x)
            if (image.pixel(x, y) == color.rgb())
                found.emplace_back(x, y);
    return found;
}

} // namespace

QImage pictureOf(widgets::Plot& plot, QSize size)
{
    plot.resize(size);
    QImage image(size, QImage::Format_RGB32);
    plot.render(&image);
    return image;
}

int countPixels(const QImage& image, const QColor& color, QRect area)
{
    return static_cast<int>(pixelsOf(image, color, area).size());
}

std::optional<QPointF> middleOf(const QImage& image, const QColor& color, QRect area)
{
    const std::vector<QPoint> found = pixelsOf(image, color, area);
    if (found.empty())
        return {};
    QPointF sum;
    for (const QPoint& point : found)
        sum += point;
    return sum / static_cast<double>(found.size()) + QPointF(0.5, 0.5);
}

QByteArray pdfOf(widgets::Plot& plot, QSizeF size)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(96);
    QPainter painter(&writer);
    plot.paintTo(painter, QRectF(QPointF(20.0, 20.0), size), true);
    painter.end();
    return bytes;
}

} // namespace quadric::samples
