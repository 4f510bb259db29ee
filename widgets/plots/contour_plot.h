// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/running_map.h"
#include "widgets/plots/panel/panel_plot.h"

#include <memory>

namespace quadric::widgets {

/// The fitted response over two factors as a map: bands of color, lines of equal response with their values,
/// observed points, and hatched regions where the prediction is an extrapolation and where the
/// study's constraints forbid the setting.
class ContourPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit ContourPlot(QWidget* parent = nullptr);
    /// `stationary`: model::stationaryRatios() over the same axes; empty: no confidence region is drawn.
    void setGrid(const model::MarkedSurface& grid, const Eigen::MatrixXd& stationary = {});
    TextTable table() const override; ///< made when it is asked for: it is long

private:
    std::shared_ptr<const model::MarkedSurface> m_grid;
};

} // namespace quadric::widgets
