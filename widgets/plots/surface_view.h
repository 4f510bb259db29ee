// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict.h"
#include "widgets/plots/plot.h"

namespace quadric::widgets {

/// Rotatable 3D response surface with axes, ticks, contour-free colour map (viridis), observed points with
/// stems; extrapolation hatched. Drawn with QPainter alone: works without OpenGL and prints as vectors. Drag
/// or arrow keys turn it, wheel or +/− zooms, Home resets.
class SurfaceView : public Plot {
    Q_OBJECT

public:
    explicit SurfaceView(QWidget* parent = nullptr);
    ~SurfaceView() override;
    void setGrid(const model::SurfaceGrid& grid);
    void clear(const QString& reason);
    /// Degrees; azimuth turns about the vertical axis, elevation 0 looks from the side, 90 from above.
    void setView(double azimuth, double elevation);
    double azimuth() const;
    double elevation() const;
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    void setPickedRun(int runId) override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Scene;
    std::unique_ptr<Scene> m_scene;
};

} // namespace quadric::widgets
