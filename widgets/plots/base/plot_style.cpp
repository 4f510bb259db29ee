// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/plot_style.h"

#include <QFontInfo>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPicture>
#include <QWidget>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace quadric::widgets {

namespace {

constexpr double kMargin = 8.0;
constexpr double kMostHeld = 0.4; ///< of a plot's height, for what is held

QFont withPixelSize(QFont font, double pixels, bool forPrint)
{
    font.setPixelSize(std::max(7, static_cast<int>(std::lround(pixels))));
    if (forPrint) // shaped text loses characters when it is copied out of a PDF
        font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

void drawSimulatedMark(QPainter& painter, const QRectF& mark, const PlotStyle& style)
{
    const QColor color = style.colors.warning;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.0));
    painter.setBrush(blend(color, style.colors.background, 0.12));
    painter.drawRoundedRect(mark.adjusted(0.5, 0.5, -0.5, -0.5), 3.0, 3.0);
    drawLine(painter, mark, Qt::AlignCenter, style.small, color, QStringLiteral("simulated data"));
}

double headerHeight(const PlotStyle& style)
{
    return style.lineHeight() + 6.0;
}

/// The mark of simulated data at the right end of the line, which ends before it.
void takeSimulatedMark(QPainter& painter, QRectF& line, const PlotStyle& style)
{
    const double width =
        QFontMetricsF(style.small).horizontalAdvance(QStringLiteral("simulated data")) + 14.0;
    const double markHeight = style.smallHeight() + 2.0;
    const QRectF mark(line.right() - width, line.center().y() - markHeight / 2.0, width, markHeight);
    drawSimulatedMark(painter, mark.toAlignedRect(), style);
    line.setRight(line.right() - width - kMargin);
}

constexpr int kHeldFlags = static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap;

/// The text, or as much of it as has room in a block of this size: names may be longer than any picture is
/// high.
QString fittedBlock(const QString& text, const QFontMetricsF& metrics, const QRectF& block)
{
    constexpr double kFilled = 0.8; // of a line, where words end before its end
    if (metrics.boundingRect(block, kHeldFlags, text).height() <= block.height())
        return text;
    const double lines = std::max(1.0, std::floor(block.height() / metrics.lineSpacing()));
    return metrics.elidedText(text, Qt::ElideRight, kFilled * lines * block.width());
}

/// Beside the title; on lines of their own below it where they have to be whole, in at most `most` pixels.
/// Returns the height of these.
double drawHeld(QPainter& painter, const QRectF& line, const PlotStyle& style, const PlotHeader& header,
                double most)
{
    constexpr double kGap = 12.0, kFewestPixels = 60.0;
    const double taken =
        header.title.isEmpty() ? 0.0 : QFontMetricsF(style.title).horizontalAdvance(header.title) + kGap;
    const QFontMetricsF metrics(style.small);
    const double room = line.width() - taken;
    const bool isBeside = metrics.horizontalAdvance(header.held) <= room;
    if (isBeside || !header.isWhole) {
        if (isBeside || room >= kFewestPixels)
            drawLine(painter, line.adjusted(taken, 0.0, 0.0, 0.0), Qt::AlignLeft | Qt::AlignVCenter,
                     style.small, style.colors.mutedText, header.held);
        return 0.0;
    }
    const QRectF below(line.left(), header.title.isEmpty() ? line.top() : line.bottom(), line.width(), most);
    const QString text = fittedBlock(header.held, metrics, below);
    painter.setFont(style.small);
    painter.setPen(style.colors.mutedText);
    painter.drawText(below, kHeldFlags, text);
    const double height = std::min(most, metrics.boundingRect(below, kHeldFlags, text).height() + 4.0);
    return std::max(0.0, below.top() + height - line.bottom());
}

/// Where the line x + y = sum enters and leaves the region, as x in rising order.
std::vector<double> crossings(const QList<QPolygonF>& region, double sum)
{
    std::vector<double> found;
    for (const QPolygonF& outline : region)
        for (qsizetype i = 0; i + 1 < outline.size(); ++i) {
            const QPointF from = outline[i], to = outline[i + 1];
            const double before = from.x() + from.y(), after = to.x() + to.y();
            if ((before <= sum) != (after <= sum))
                found.push_back(std::lerp(from.x(), to.x(), (sum - before) / (after - before)));
        }
    std::ranges::sort(found);
    return found;
}

} // namespace

PlotStyle plotStyle(const QWidget& widget, bool forPrint)
{
    PlotStyle style;
    style.colors = plotColors(widget.palette(), forPrint);
    const double pixels = QFontInfo(widget.font()).pixelSize();
    style.font = withPixelSize(widget.font(), pixels, forPrint);
    style.small = withPixelSize(widget.font(), pixels * 0.88, forPrint);
    style.title = withPixelSize(widget.font(), pixels, forPrint);
    style.title.setWeight(QFont::DemiBold);
    style.isForPrint = forPrint;
    return style;
}

QRectF areaBelowHeader(const QRectF& target, const PlotStyle& style, bool hasHeader)
{
    const double top = kMargin * 0.5 + (hasHeader ? headerHeight(style) : 0.0);
    return target.adjusted(kMargin, top, -kMargin, -kMargin * 0.5);
}

QRectF drawHeader(QPainter& painter, const QRectF& target, const PlotStyle& style, const PlotHeader& header)
{
    painter.fillRect(target, style.colors.background);
    const bool hasHeader = !header.title.isEmpty() || header.isSimulated || !header.held.isEmpty();
    const QRectF below = areaBelowHeader(target, style, hasHeader);
    if (!hasHeader)
        return below;
    QRectF line = below.adjusted(0.0, -headerHeight(style), 0.0, 0.0);
    line.setHeight(headerHeight(style));
    if (header.isSimulated)
        takeSimulatedMark(painter, line, style);
    drawLine(painter, line, Qt::AlignLeft | Qt::AlignVCenter, style.title, style.colors.text, header.title);
    const double more =
        header.held.isEmpty() ? 0.0 : drawHeld(painter, line, style, header, kMostHeld * below.height());
    return below.adjusted(0.0, more, 0.0, 0.0);
}

void drawReason(QPainter& painter, const QRectF& area, const PlotStyle& style, const QString& reason)
{
    painter.setFont(style.font);
    painter.setPen(style.colors.mutedText);
    const QRectF box = area.adjusted(16.0, 0.0, -16.0, 0.0);
    painter.drawText(box, static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, reason);
}

void drawFocusFrame(QPainter& painter, const QRectF& area, const PlotStyle& style)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.colors.accent, 2.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(area.adjusted(1.0, 1.0, -1.0, -1.0), 3.0, 3.0);
}

void drawDot(QPainter& painter, QPointF center, double radius, const QColor& fill, const QColor& rim)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(rim);
    painter.drawEllipse(center, radius + 1.4, radius + 1.4);
    painter.setBrush(fill);
    painter.drawEllipse(center, radius, radius);
}

void drawCross(QPainter& painter, QPointF center, double radius, const QColor& color, const QColor& rim)
{
    const QPointF falling(radius, radius), rising(radius, -radius);
    for (const QPen& pen :
         {QPen(rim, 4.6, Qt::SolidLine, Qt::RoundCap), QPen(color, 2.2, Qt::SolidLine, Qt::RoundCap)}) {
        painter.setPen(pen);
        painter.drawLine(center - falling, center + falling);
        painter.drawLine(center - rising, center + rising);
    }
}

void drawHatch(QPainter& painter, const QRectF& area, const QColor& color, double spacing)
{
    painter.setPen(QPen(color, 1.0));
    const double width = area.width();
    const double height = area.height();
    const int count = static_cast<int>((width + height) / spacing);
    for (int i = 1; i <= count; ++i) { // from the lower edge up to the right
        const double start = i * spacing - height;
        const double from = std::max(0.0, -start);
        const double to = std::min(height, width - start);
        if (to > from)
            painter.drawLine(QPointF(area.left() + start + from, area.bottom() - from),
                             QPointF(area.left() + start + to, area.bottom() - to));
    }
}

void drawHatch(QPainter& painter, const QPainterPath& region, const QColor& color, double spacing)
{
    constexpr double kTouch = 1e-6;
    painter.setPen(QPen(color, 1.0));
    const QRectF bounds = region.boundingRect();
    const QList<QPolygonF> outlines = region.toSubpathPolygons();
    const int end = static_cast<int>(std::ceil((bounds.width() + bounds.height()) / spacing));
    for (int line = 1; line < end; ++line) {
        const double sum = bounds.left() + bounds.top() + line * spacing;
        const std::vector<double> xs = crossings(outlines, sum);
        for (std::size_t i = 0; i + 1 < xs.size(); i += 2) {
            const double from = xs[i];
            while (i + 2 < xs.size() && xs[i + 2] - xs[i + 1] < kTouch) // two outlines side by side
                i += 2;
            painter.drawLine(QPointF(from, sum - from), QPointF(xs[i + 1], sum - xs[i + 1]));
        }
    }
}

QString fitted(const QString& text, const QFontMetricsF& metrics, double width)
{
    const qsizetype unit = text.lastIndexOf(QLatin1String(" ("));
    if (metrics.horizontalAdvance(text) <= width || unit <= 0 || !text.endsWith(QLatin1Char(')')))
        return metrics.elidedText(text, Qt::ElideRight, width);
    return metrics.elidedText(text.left(unit), Qt::ElideRight, width);
}

void drawLine(QPainter& painter, const QRectF& area, int alignment, const QFont& font, const QColor& color,
              const QString& text)
{
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(area, alignment | Qt::TextSingleLine | Qt::TextDontClip,
                     fitted(text, QFontMetricsF(font), area.width()));
}

QString withUnit(const std::string& name, const std::string& unit)
{
    const QString text = QString::fromStdString(name);
    return unit.empty() ? text
                        : text + QStringLiteral(" (") + QString::fromStdString(unit) + QLatin1Char(')');
}

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

QSharedPointer<QCPAxisTicker> makeTextTicker(const std::vector<Tick>& ticks)
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
