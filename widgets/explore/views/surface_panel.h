// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/views/factor_plane.h"

namespace quadric::widgets {

class SurfaceView;

/// The fitted response over two factors as a surface that turns, with a menu of its fixed views and of what
/// else it can show.
class SurfacePanel : public FactorPlane {
    Q_OBJECT

public:
    explicit SurfacePanel(QWidget* parent = nullptr);
    SurfaceView& surface() { return *m_surface; }

protected:
    void showGrid(const model::MarkedSurface& grid, const ModelPlane& plane) override;
    void showReason(const QString& reason) override;

private:
    SurfacePanel(SurfaceView* surface, QWidget* parent);
    void addViewMenu();

    SurfaceView* m_surface;
};

} // namespace quadric::widgets
