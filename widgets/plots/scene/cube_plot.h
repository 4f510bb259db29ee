// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/curves.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/scene/orbit_box.h"

namespace quadric::widgets {

/// Predictions at the corners that three factors span, each in the color of its value. Drag or arrow keys
/// turn the cube.
class CubePlot : public Plot {
    Q_OBJECT

public:
    explicit CubePlot(QWidget* parent = nullptr);
    /// `factors` give units and level names.
    void setCube(const model::CubePlot& cube, const std::vector<study::Factor>& factors);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override { return m_table; }

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Corner {
        Point3 at;
        QString text, tip;
        QColor color;
        bool isGuess = false;
        bool isInfeasible = false;
    };
    std::vector<LegendItem> legend() const;
    QRectF legendIn(const QRectF& area, const PlotStyle& style) const;
    Projection projectionIn(const QRectF& area, const PlotStyle& style) const;
    void paintEdges(QPainter& painter, const Projection& projection, const PlotStyle& style) const;
    void paintCorner(QPainter& painter, const QPointF& at, const Corner& corner,
                     const PlotStyle& style) const;
    void paintAxisNames(QPainter& painter, const Projection& projection, const QRectF& area,
                        const PlotStyle& style) const;
    QString settingText(std::size_t axis, double actual) const;
    TextTable makeCornerTable(const model::CubePlot& cube) const;

    std::array<study::Factor, 3> m_factors;
    std::vector<Corner> m_corners;
    TextTable m_table;
    QString m_title, m_reason;
    Orbit m_orbit;
    std::optional<QPointF> m_lastAt;
};

} // namespace quadric::widgets
