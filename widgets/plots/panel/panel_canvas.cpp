// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_canvas.h"

#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/panel/panel_look.h"
#include "widgets/plots/panel/panel_marks.h"

#include <QPainter>
#include <QPainterPath>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// One panel and where it is drawn.
struct Drawn {
    const Panel& panel;
    const PanelFrame& frame;
    const PlotStyle& style;
};

/// What is drawn by us among the layers of QCustomPlot, and cut at its axes.
class PanelLayer : public QCPLayerable {
public:
    PanelLayer(QCPAxisRect& rect, const Drawn& drawn, const QString& layer)
        : QCPLayerable(rect.parentPlot(), layer)
        , m_rect(rect)
        , m_drawn(drawn)
    {
    }

protected:
    QRect clipRect() const override { return m_rect.rect(); }
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
    const Drawn& drawn() const { return m_drawn; }

private:
    QCPAxisRect& m_rect;
    Drawn m_drawn;
};

/// Regions, below the grid.
class PanelRegions : public PanelLayer {
public:
    PanelRegions(QCPAxisRect& rect, const Drawn& drawn)
        : PanelLayer(rect, drawn, QStringLiteral("background"))
    {
    }

protected:
    void draw(QCPPainter* painter) override
    {
        for (const PanelRegion& region : drawn().panel.regions)
            paintRegion(*painter, regionPath(region), region, drawn().style);
    }

private:
    QPainterPath regionPath(const PanelRegion& region) const
    {
        QPainterPath path;
        for (const QPolygonF& outline : region.outlines) {
            QPolygonF pixels;
            for (const QPointF& point : outline)
                pixels << drawn().frame.at(point.x(), point.y());
            path.addPolygon(pixels);
            path.closeSubpath();
        }
        return path;
    }
};

/// Bars and bands, which QCustomPlot can neither hatch nor print as vectors: under the lines.
class PanelFills : public PanelLayer {
public:
    PanelFills(QCPAxisRect& rect, const Drawn& drawn)
        : PanelLayer(rect, drawn, QStringLiteral("main"))
    {
    }

protected:
    void draw(QCPPainter* painter) override
    {
        const auto& [panel, frame, style] = drawn();
        for (const PanelCell& cell : panel.cells)
            if (cell.level >= 0.002) // less is the ground; so is what is not defined
                painter->fillRect(cellArea(frame, cell), cellColor(cell.level, style));
        for (const PanelBar& bar : panel.bars) {
            // SVG knows no clip rectangle: what is outside the axes must not be drawn
            const QRectF area =
                QRectF(frame.at(bar.left, bar.high), frame.at(bar.right, bar.low)).normalized() & frame.inner;
            if (!area.isEmpty())
                paintBar(*painter, area, bar.role, bar.isHatched, style);
        }
        for (const PanelBand& band : panel.bands)
            drawBand(*painter, band);
    }

private:
    void drawBand(QPainter& painter, const PanelBand& band) const;
};

void PanelFills::drawBand(QPainter& painter, const PanelBand& band) const
{
    const PlotStyle& style = drawn().style;
    QPolygonF outline;
    const auto add = [&](std::size_t i, double y) {
        if (const QPointF at = drawn().frame.at(band.x[i], y); std::isfinite(at.x()) && std::isfinite(at.y()))
            outline << at;
    };
    for (std::size_t i = 0; i < band.x.size(); ++i)
        add(i, band.high[i]);
    for (std::size_t i = band.x.size(); i-- > 0;)
        add(i, band.low[i]);
    const QColor fill = bandColor(band.category, style);
    painter.setPen(Qt::NoPen);
    painter.setBrush(band.isExtrapolation ? blend(fill, style.colors.background, 0.45) : fill);
    painter.drawPolygon(outline);
    if (!band.isExtrapolation)
        return;
    QPainterPath region;
    region.addPolygon(outline);
    region.closeSubpath();
    drawHatch(painter, region, blend(style.colors.accent, style.colors.background, 0.45), 6.0);
}

void setUpAxis(QCPAxis& axis, const AxisScale& scale, std::vector<Tick> ticks, bool hasGrid,
               const PlotStyle& style)
{
    styleAxis(axis, style);
    axis.setScaleType(scale.isLog2 ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setRange(scale.low, scale.high);
    for (Tick& tick : ticks) // one at the very end must not fall out for the last bit of its value
        tick.value = std::clamp(tick.value, scale.low, scale.high);
    axis.setTicker(makeTextTicker(ticks));
    axis.grid()->setVisible(hasGrid);
}

/// The names of rows in smaller type where the rows are narrow.
QFont rowFont(const PanelFrame& frame, const PlotStyle& style)
{
    QFont font = style.font;
    if (frame.rowHeight < style.lineHeight())
        font.setPixelSize(static_cast<int>(std::min<double>(font.pixelSize(), frame.rowHeight)));
    return font;
}

void setUpAxes(QCPAxis& x, QCPAxis& y, const Drawn& drawn)
{
    const auto& [panel, frame, style] = drawn;
    const bool isBoth = panel.grid == PanelGrid::Both;
    setUpAxis(x, frame.xScale, frame.xTicks, isBoth || panel.grid == PanelGrid::Vertical, style);
    setUpAxis(y, frame.yScale, frame.yTicks, isBoth || panel.grid == PanelGrid::Horizontal, style);
    x.setTickLabelPadding(1);
    y.setTickLength(0);
    y.setTickPen(Qt::NoPen); // without length they would still be dots
    y.setTickLabelPadding(6);
    if (panel.y.isCategory) {
        y.setTickLabelFont(rowFont(frame, style));
        y.setTickLabelColor(style.colors.text);
    }
    if (!frame.hasYLabels) {
        y.setTickLabels(false);
        y.setBasePen(QPen(style.colors.grid, 1.0));
    }
}

/// Axes on the frame's pixels (QCustomPlot's lower axis lies on the last pixel of its rectangle).
QCPAxisRect& addAxes(QCustomPlot& plot, QCPLayoutInset& inset, const Drawn& drawn, const QSizeF& size)
{
    auto* rect = new QCPAxisRect(&plot, false);
    rect->setAutoMargins(QCP::msNone);
    rect->setMargins({});
    rect->setMinimumMargins({});
    rect->setMinimumSize(1, 1);
    constexpr double kInside = 0.25; // of a pixel: the inset cuts its corners to whole ones
    const QRectF place = drawn.frame.inner.translated(kInside, 1.0 + kInside);
    inset.addElement(rect,
                     {place.x() / size.width(), place.y() / size.height(),
                      (place.width() + kInside) / size.width(), (place.height() + kInside) / size.height()});
    setUpAxes(*rect->addAxis(QCPAxis::atBottom), *rect->addAxis(QCPAxis::atLeft), drawn);
    return *rect;
}

void addContours(QCPAxisRect& rect, const Drawn& drawn)
{
    for (const PanelContour& contour : drawn.panel.contours) {
        auto* curve = new QCPCurve(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft)); // the plot's
        curve->setPen(contourPen(contour, drawn.style));
        for (const QPointF& point : contour.points)
            curve->addData(point.x(), point.y());
    }
}

void addLines(QCPAxisRect& rect, const Drawn& drawn)
{
    for (const PanelLine& line : drawn.panel.lines) {
        auto* curve = new QCPCurve(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft)); // the plot's
        curve->setPen(linePen(line.role, line.category, drawn.style));
        curve->setData({line.x.begin(), line.x.end()}, {line.y.begin(), line.y.end()});
    }
}

/// Where a bar of colors stands.
QRectF colorBarArea(const PanelFrame& frame, const QSize& size)
{
    return {frame.inner.right(), frame.inner.top(), size.width() - frame.inner.right(), frame.inner.height()};
}

} // namespace

void drawBoard(QPainter& painter, const PanelBoard& board, const PanelLayout& layout, const PlotStyle& style,
               const PickedRuns& picked)
{
    if (layout.frames().empty())
        return;
    QPointF corner;
    for (const PanelFrame& frame : layout.frames())
        corner = {std::max(corner.x(), frame.inner.right()), std::max(corner.y(), frame.inner.bottom())};
    const QSize size(static_cast<int>(corner.x()) + 20, static_cast<int>(corner.y()) + 20);
    QCustomPlot plot;
    preparePlot(plot, style);
    plot.plotLayout()->clear();
    auto* inset = new QCPLayoutInset; // the layout's
    plot.plotLayout()->addElement(0, 0, inset);
    for (std::size_t i = 0; i < layout.frames().size(); ++i) {
        const Drawn drawn{board.panels[i], layout.frames()[i], style};
        QCPAxisRect& rect = addAxes(plot, *inset, drawn, size);
        if (!drawn.panel.regions.empty())
            new PanelRegions(rect, drawn); // the plot's, as what follows
        new PanelFills(rect, drawn);
        addContours(rect, drawn);
        addLines(rect, drawn);
    }
    drawCustomPlot(plot, painter, QRectF({0, 0}, size));
    if (board.colors)
        paintColorBar(painter, colorBarArea(layout.frames().front(), size), *board.colors, style);
    std::vector<LegendItem> legend;
    for (const LegendEntry& entry : board.legend)
        legend.push_back(legendItem(entry));
    paintLegend(painter, layout.legend(), legend, style);
    for (std::size_t i = 0; i < layout.frames().size(); ++i) {
        paintTitles(painter, layout.frames()[i], board.panels[i], style);
        paintMarks(painter, layout.frames()[i], board.panels[i], style, picked);
    }
}

} // namespace quadric::widgets
