// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/theme.h"
#include "widgets/plots/base/axis_scale.h"

#include <QFont>
#include <QFontMetricsF>
#include <QPolygonF>
#include <QRectF>
#include <QSharedPointer>
#include <QString>

class QPainter;
class QPainterPath;
class QWidget;
class QCPAxis;
class QCPAxisTicker;
class QCustomPlot;

namespace quadric::widgets {

/// Colors and fonts of one drawing. Font sizes are in pixels, so that a layout is the same on every device.
struct PlotStyle {
    PlotColors colors;
    QFont font, small, title;
    bool isForPrint = false;

    double lineHeight() const { return QFontMetricsF(font).height(); }
    double smallHeight() const { return QFontMetricsF(small).height(); }
};
PlotStyle plotStyle(const QWidget& widget, bool forPrint);

/// What is left of `target` for the plot below its title line; `hasHeader` false: no title line.
QRectF areaBelowHeader(const QRectF& target, const PlotStyle& style, bool hasHeader);

/// What stands above a plot.
struct PlotHeader {
    QString title = {}; ///< the response
    bool isSimulated = false;
    QString held = {};    ///< factors that are not shown and what they are set to
    bool isWhole = false; ///< they are written on lines of their own where the title leaves too little room
};

/// Fills the ground and draws the header; returns what is left for the plot. Nothing is reserved when there
/// is nothing to write.
QRectF drawHeader(QPainter& painter, const QRectF& target, const PlotStyle& style, const PlotHeader& header);

/// The reason why there is nothing to show, centered.
void drawReason(QPainter& painter, const QRectF& area, const PlotStyle& style, const QString& reason);

void drawFocusFrame(QPainter& painter, const QRectF& area, const PlotStyle& style);

/// A dot with a rim that keeps it apart from whatever lies under it.
void drawDot(QPainter& painter, QPointF center, double radius, const QColor& fill, const QColor& rim);

/// A cross, on a broader one in the color of the ground.
void drawCross(QPainter& painter, QPointF center, double radius, const QColor& color, const QColor& rim);

/// Diagonal lines inside a rectangle, drawn as lines so that they print as vectors.
void drawHatch(QPainter& painter, const QRectF& area, const QColor& color, double spacing = 5.0);

/// The same inside any region: each line is cut where the region ends, because an SVG file knows no clipping.
void drawHatch(QPainter& painter, const QPainterPath& region, const QColor& color, double spacing);

/// What of a text has room in `width` pixels: all of it, else without the unit in brackets at its end, else
/// elided.
QString fitted(const QString& text, const QFontMetricsF& metrics, double width);

/// One line of text, as much of it as has room (see fitted()), in the given font and color.
void drawLine(QPainter& painter, const QRectF& area, int alignment, const QFont& font, const QColor& color,
              const QString& text);

/// "name (unit)", or the name alone.
QString withUnit(const std::string& name, const std::string& unit);

/// Fonts, ground and antialiasing of a QCustomPlot that is only drawn, never shown.
void preparePlot(QCustomPlot& plot, const PlotStyle& style);

/// Colors and fonts of an axis and its grid.
void styleAxis(QCPAxis& axis, const PlotStyle& style);

/// Exactly these ticks.
QSharedPointer<QCPAxisTicker> makeTextTicker(const std::vector<Tick>& ticks);

/// Lays the plot out for the size of `area` and draws it there: onto pixels directly, else as vectors.
void drawCustomPlot(QCustomPlot& plot, QPainter& painter, const QRectF& area);

} // namespace quadric::widgets
