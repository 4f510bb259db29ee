// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/base/plot_style.h"

#include <memory>

namespace quadric::widgets {

/// The runs of a design as points in the cube of three numeric factors (a square of two), rotatable; with a
/// categorical factor one cube for each of its levels, side by side. Repeated settings are drawn once with
/// their count; done, pending and failed runs differ in shape and color.
class DesignCube : public Plot {
    Q_OBJECT

public:
    explicit DesignCube(QWidget* parent = nullptr);
    ~DesignCube() override;
    void setStudy(const study::Study& study);

    /// Shows these factors as axes; an empty list, and any that is no axis, mean the first numeric ones.
    void setAxes(const std::vector<std::string>& factors);
    /// The factors that are shown as axes.
    std::vector<std::string> axes() const;
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
    void paintFacet(QPainter& painter, std::size_t facet, const QRectF& plot, const PlotStyle& style);

    struct Scene;
    std::unique_ptr<Scene> m_scene;
};

} // namespace quadric::widgets
