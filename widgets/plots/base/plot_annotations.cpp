// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/plot_annotations.h"

#include "widgets/base/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
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

constexpr int kMostTicks = 10;
constexpr double kWholeTolerance = 1e-9;

bool isWhole(const Tick& tick)
{
    return std::abs(tick.value - std::round(tick.value)) < kWholeTolerance;
}

constexpr int kSteps = 64;
constexpr double kColorBarWidth = 11.0;
constexpr double kLead = 8.0;   ///< between the plot and the bar
constexpr double kShare = 0.66; ///< of the height

/// The line that the names point to meets a name of this extent.
bool isMet(const std::vector<LimitName>& names, std::size_t index, double left, bool goesRight)
{
    if (goesRight)
        return index + 1 < names.size() && names[index + 1].x < left + names[index].width + kLimitGap;
    return index > 0 && names[index - 1].x > left - kLimitGap;
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

QStringList listLegendTexts(const std::vector<LegendItem>& items)
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
    for (const std::size_t count : legendLines(listLegendTexts(items), area.width(), style)) {
        paintLine(painter, {area.left(), top, area.width(), style.smallHeight()},
                  std::span(items).subspan(first, count), style);
        first += count;
        top += legendLineHeight(style);
    }
    painter.restore();
}

std::vector<Tick> wholeTicks(const AxisScale& scale)
{
    std::vector<Tick> ticks = chooseTicks(scale, kMostTicks);
    if (std::ranges::all_of(ticks, isWhole))
        return {};
    std::erase_if(ticks, [](const Tick& tick) { return !isWhole(tick); });
    for (Tick& tick : ticks)
        tick.label = formatNumber(std::round(tick.value)); // without the decimals of those between
    return ticks;
}

double colorBarWidth(const AxisScale& scale, double height, const PlotStyle& style)
{
    const QFontMetricsF metrics(style.small);
    double width = 0.0;
    for (const Tick& tick : verticalTicks(scale, kShare * height, metrics))
        width = std::max(width, metrics.horizontalAdvance(tick.label));
    return kLead + kColorBarWidth + width + 9.0;
}

void paintColorBar(QPainter& painter, const QRectF& area, const AxisScale& scale, const PlotStyle& style)
{
    const QRectF bar(area.left() + kLead, area.top() + area.height() * 0.14, kColorBarWidth,
                     area.height() * kShare);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double step = bar.height() / kSteps;
    for (int i = 0; i < kSteps; ++i)
        painter.fillRect(QRectF(bar.left(), bar.bottom() - (i + 1) * step, bar.width(), step + 0.5),
                         viridis((i + 0.5) / kSteps));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Tick& tick : verticalTicks(scale, bar.height(), QFontMetricsF(style.small))) {
        const double y = bar.bottom() - scale.fractionOf(tick.value) * bar.height();
        painter.setPen(QPen(style.colors.axis, 1.0));
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3.0, y));
        drawLine(painter, {bar.right() + 6.0, y - 8.0, 200.0, 16.0}, Qt::AlignLeft | Qt::AlignVCenter,
                 style.small, style.colors.mutedText, tick.label);
    }
}

void drawFittedTitle(QPainter& painter, double middle, const QRectF& room, const QFont& font,
                     const QColor& color, const QString& title)
{
    constexpr int kSmallest = 8; // pixels
    const auto widthIn = [&title](const QFont& type) {
        return QFontMetricsF(type).horizontalAdvance(title) + 1.0;
    };
    QFont fitting = font;
    while (widthIn(fitting) > room.width() && fitting.pixelSize() > kSmallest)
        fitting.setPixelSize(fitting.pixelSize() - 1);
    const double width = std::min(widthIn(fitting), room.width());
    const double left = std::clamp(middle - width / 2.0, room.left(), room.right() - width);
    drawLine(painter, {left, room.top(), width, room.height()}, Qt::AlignCenter, fitting, color, title);
}

std::vector<QRectF> placeLimitNames(const std::vector<LimitName>& names, const QRectF& band)
{
    const bool goesRight = std::ranges::all_of(
        names, [&band](const LimitName& name) { return name.x + kLimitGap + name.width <= band.right(); });
    std::vector<QRectF> places;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double left = goesRight ? names[i].x + kLimitGap
                                      : std::max(band.left(), names[i].x - kLimitGap - names[i].width);
        const double top = isMet(names, i, left, goesRight) ? band.top() : band.center().y();
        places.emplace_back(left, top, names[i].width, band.height() / 2.0);
    }
    return places;
}

} // namespace quadric::widgets
