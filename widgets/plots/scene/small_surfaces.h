// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "widgets/plots/base/plot.h"

#include <QPointF>

#include <memory>

namespace quadric::widgets {

/// The surfaces of several responses side by side, without axes, each with its name and a mark at the setting
/// that is looked at. Drag or the arrow keys turn all of them; a click chooses one.
class SmallSurfaces : public Plot {
    Q_OBJECT

public:
    explicit SmallSurfaces(QWidget* parent = nullptr);
    ~SmallSurfaces() override;

    /// What has not changed is not drawn anew.
    void setSurfaces(const std::vector<model::MarkedSurface>& grids);
    /// Actual values of both factors.
    void setSetting(QPointF setting);
    std::size_t count() const;

    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    QSize sizeHint() const override { return {180, 240}; }

signals:
    void chosen(int index);

protected:
    /// Surfaces are kept as pictures, so that a moved mark costs no drawing of them.
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Scenes;
    std::vector<QRectF> cellsIn(const QRectF& area) const;
    void turned();
    std::unique_ptr<Scenes> m_scenes;
};

} // namespace quadric::widgets
