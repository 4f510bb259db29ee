// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/legend.h"

#include <QPainter>

#include <algorithm>
#include <span>

namespace quadric::widgets {

namespace {

constexpr double kMostLegend = 0.2; ///< of a plot's height
constexpr QSizeF kSampleSize{15.0, 8.0};

/// A text that is longer than the line is shortened.
void paintLine(QPainter& painter, const QRectF& line, std::span<const LegendItem> items,
               const PlotStyle& style)
{
    double right = line.right();
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
        const double width = std::min(QFontMetricsF(style.small).horizontalAdvance(item->text),
                                      right - kLegendSample - line.left());
        drawLine(painter, {right - width, line.top(), width + 1.0, line.height()},
                 Qt::AlignLeft | Qt::AlignVCenter, style.small, style.colors.mutedText, item->text);
        const QPointF corner(right - width - kLegendSample, line.center().y() - kSampleSize.height() / 2.0);
        item->paint(painter, {corner, kSampleSize}, style);
        right = corner.x() - kLegendGap;
    }
}

} // namespace

std::vector<std::size_t> legendLines(const QStringList& texts, double width, const PlotStyle& style)
{
    const QFontMetricsF metrics(style.small);
    std::vector<std::size_t> lines;
    double room = 0.0;
    for (const QString& text : texts) {
        const double own = kLegendSample + metrics.horizontalAdvance(text);
        if (lines.empty() || own > room) {
            lines.push_back(0);
            room = width;
        }
        ++lines.back();
        room -= own + kLegendGap;
    }
    return lines;
}

double legendLineHeight(const PlotStyle& style)
{
    return style.smallHeight() + 4.0;
}

double legendHeight(const QStringList& texts, const QSizeF& area, const PlotStyle& style)
{
    const double height =
        static_cast<double>(legendLines(texts, area.width(), style).size()) * legendLineHeight(style);
    return height <= kMostLegend * area.height() ? height : 0.0;
}

QStringList textsOf(const std::vector<LegendItem>& items)
{
    QStringList texts;
    for (const LegendItem& item : items)
        texts << item.text;
    return texts;
}

void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendItem>& items,
                 const PlotStyle& style)
{
    if (area.height() <= 0.0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    double top = area.top();
    std::size_t first = 0;
    for (const std::size_t count : legendLines(textsOf(items), area.width(), style)) {
        paintLine(painter, {area.left(), top, area.width(), style.smallHeight()},
                  std::span(items).subspan(first, count), style);
        first += count;
        top += legendLineHeight(style);
    }
    painter.restore();
}

} // namespace quadric::widgets
