// SPDX-License-Identifier: GPL-3.0-or-later

// draw_icon DRAWING.svg SIZE ICON.png: the build draws the icons of the desktop with Qt, which it needs
// anyway.

#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv)
{
    const int size = argc == 4 ? std::atoi(argv[2]) : 0;
    if (size < 1) {
        std::fputs("usage: draw_icon DRAWING.svg SIZE ICON.png\n", stderr);
        return 2;
    }
    QSvgRenderer renderer(QString::fromLocal8Bit(argv[1]));
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    return renderer.isValid() && image.save(QString::fromLocal8Bit(argv[3])) ? 0 : 1;
}
