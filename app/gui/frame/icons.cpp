// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/icons.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace quadric::app {

QPixmap lineIcon(const QString& name, const QColor& color, int size, qreal devicePixelRatio)
{
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return pixmap;
    QByteArray drawing = file.readAll();
    drawing.replace("#000000", color.name().toLatin1());
    QSvgRenderer renderer(drawing);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, size, size));
    return pixmap;
}

QIcon programIcon()
{
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addPixmap(lineIcon(QStringLiteral("quadric"), Qt::black, size, 1.0));
    return icon;
}

} // namespace quadric::app
