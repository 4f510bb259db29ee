// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/base/plot_style.h"

#include <memory>

namespace quadric::widgets {

/// The runs of a design as points in the cube of three numeric factors, rotatable; in a square of two and on
/// a line of one. With a categorical factor one picture for each of its levels, in a grid where there is room
/// to read them and one level at a time where there is not. Repeated settings are drawn once with their
/// count; done, pending and failed runs differ in shape and color.
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

    /// Shows one level of the categorical factor, or all of them ("") side by side; without a value as there
    /// is room.
    void setLevel(std::optional<std::string> level);
    /// What is shown now: a level, or "" for all of them.
    std::string shownLevel() const;

    TextTable table() const override;
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    void setPickedRuns(const PickedRuns& runs) override;

signals:
    /// Another level is shown now.
    void levelShown(const std::string& level);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF plotArea() const;
    void showLevel();
    bool showNextLevel(int step);

    struct Scene;
    std::unique_ptr<Scene> m_scene;
};

} // namespace quadric::widgets
