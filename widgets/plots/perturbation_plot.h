// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/curves.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// How the fitted response answers to each numeric factor alone, all on one coded axis: a steep curve is a
/// factor that matters here.
class PerturbationPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit PerturbationPlot(QWidget* parent = nullptr);
    void setCurves(const std::vector<model::PerturbationCurve>& curves, const QString& response,
                   const std::string& unit);
};

} // namespace quadric::widgets
