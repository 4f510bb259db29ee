// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/print/print_text.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>

#include <cmath>

namespace quadric::widgets {

namespace {

/// Breaks the text into lines; returns the height of all of them.
double breakLines(QTextLayout& layout, double width, Qt::Alignment alignment)
{
    QTextOption option(alignment);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    double y = 0;
    layout.beginLayout();
    while (true) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        line.setPosition({0, y});
        y += std::ceil(line.height());
    }
    layout.endLayout();
    return y;
}

} // namespace

QFont printFont(double pixels, bool isBold)
{
    QFont font = QApplication::font();
    font.setPixelSize(static_cast<int>(std::lround(pixels)));
    font.setBold(isBold);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

double textHeight(const QString& text, const QFont& font, double width)
{
    QTextLayout layout(text, font);
    return breakLines(layout, width, Qt::AlignLeft);
}

void drawText(QPainter& painter, const QRectF& target, const QString& text, const QFont& font,
              const QColor& color, Qt::Alignment alignment)
{
    QTextLayout layout(text, font, painter.device());
    breakLines(layout, target.width(), alignment);
    painter.setPen(color);
    layout.draw(&painter, target.topLeft());
}

} // namespace quadric::widgets
