// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/plots/plot.h"

#include <memory>

namespace quadric::widgets {

/// The runs of a design as points in the cube of three factors (two or more factors; the first three numeric
/// ones), rotatable. Repeated settings are drawn once with their count; done, pending and failed runs differ
/// in shape and colour.
class DesignCube : public Plot {
    Q_OBJECT

public:
    explicit DesignCube(QWidget* parent = nullptr);
    ~DesignCube() override;
    void setStudy(const study::Study& study);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    void setPickedRun(int runId) override;

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
