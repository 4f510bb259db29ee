// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "widgets/plots/base/plot.h"

#include <memory>
#include <optional>

namespace quadric::widgets {

/// Rotatable 3D response surface with axes, ticks, a color map (viridis) and observed points with stems;
/// extrapolation is crossed out. On demand the confidence interval as nets above and below, and contour lines
/// on the floor. Drawn with QPainter alone: works without OpenGL and prints as vectors. Drag or arrow keys
/// turn it, wheel or +/− zooms, Home resets, 1 to 3 are fixed views, I and C switch interval and contours.
class SurfaceView : public Plot {
    Q_OBJECT

public:
    explicit SurfaceView(QWidget* parent = nullptr);
    ~SurfaceView() override;
    void setGrid(const model::MarkedSurface& grid);
    void clear(const QString& reason);
    /// Marks the setting that is looked at, actual values of both factors; none: no mark.
    void setSetting(std::optional<QPointF> setting);

    /// Degrees; azimuth turns about the vertical axis, elevation 0 looks from the side, 90 from above.
    void setView(double azimuth, double elevation);
    double azimuth() const;
    double elevation() const;

    enum class Preset { Corner, Front, Top };
    void setPreset(Preset preset);

    void setIntervalShown(bool isShown);
    bool isIntervalShown() const;
    void setContoursShown(bool isShown);
    bool areContoursShown() const;

    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override;
    QSize sizeHint() const override { return {560, 420}; }

signals:
    /// Interval or contours were switched, from here or from outside.
    void extrasChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void turned();
    bool handleSwitch(int key);

    struct Scene;
    std::unique_ptr<Scene> m_scene;
};

} // namespace quadric::widgets
