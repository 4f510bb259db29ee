// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "core/model/predict/curves.h"
#include "core/model/predict/predict.h"
#include "widgets/plots/panel/panel_plot.h"

#include <memory>

namespace quadric::widgets {

/// Main effects of one response: one panel per factor on a common response axis, fitted line with its 95 %
/// band and the adjusted means of the runs.
class MainEffectsPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit MainEffectsPlot(QWidget* parent = nullptr);
    void setCurves(const std::vector<model::EffectCurve>& curves);
};

/// How the fitted response answers to each numeric factor alone, all on one coded axis: a steep curve is a
/// factor that matters here.
class PerturbationPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit PerturbationPlot(QWidget* parent = nullptr);
    void setCurves(const std::vector<model::PerturbationCurve>& curves, const QString& response,
                   const std::string& unit);
};

/// The panel of a ContourPlot; the grid has nodes. Every `stride`th band of colors is drawn: with fewer of
/// them a map that follows a drag is painted in time.
PanelBoard makeMapBoard(const std::shared_ptr<const model::MarkedSurface>& grid, std::size_t stride = 1);

/// The fitted response over two factors as a map: bands of color, lines of equal response with their values,
/// observed points, and hatched regions where the prediction is an extrapolation and where the
/// study's constraints forbid the setting.
class ContourPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit ContourPlot(QWidget* parent = nullptr);
    void setGrid(const model::MarkedSurface& grid);
    TextTable table() const override; ///< made when it is asked for: it is long

private:
    std::shared_ptr<const model::MarkedSurface> m_grid;
};

} // namespace quadric::widgets
