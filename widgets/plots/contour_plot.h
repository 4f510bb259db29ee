// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict.h"
#include "widgets/plots/contour_bands.h"
#include "widgets/plots/iso_lines.h"
#include "widgets/plots/panel_layout.h"
#include "widgets/plots/plot.h"

namespace quadric::widgets {

/// The fitted response over two factors as a map: bands of colour, lines of equal response with their values,
/// observed points, and a hatched region where the prediction is an extrapolation.
class ContourPlot : public Plot {
    Q_OBJECT

public:
    explicit ContourPlot(QWidget* parent = nullptr);
    void setGrid(const model::SurfaceGrid& grid);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override;

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct LabelledLine {
        IsoLine line;
        QString label;
    };

    PanelLayout layoutIn(const QRectF& area, const PlotStyle& style) const;
    PanelFrame frameOnScreen() const;
    const model::ObservedPoint* pointAt(QPointF position) const;
    void paintBands(QPainter& painter, const PanelFrame& frame) const;
    void paintHatch(QPainter& painter, const PanelFrame& frame) const;
    void paintLines(QPainter& painter, const PanelFrame& frame, const PlotStyle& style) const;
    void paintPoints(QPainter& painter, const PanelFrame& frame, const PlotStyle& style) const;
    QPolygonF polygonOf(const PanelFrame& frame, const std::vector<Eigen::Vector2d>& points) const;
    QPointF nodeAt(const PanelFrame& frame, const Eigen::Vector2d& index) const;

    model::SurfaceGrid m_grid;
    PanelBoard m_axes; ///< one panel without content
    AxisScale m_zScale;
    std::vector<LabelledLine> m_lines;
    std::vector<ColorBand> m_bands;
    QString m_reason;
};

} // namespace quadric::widgets
