// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/predict/curves.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/fit_checks.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_plot.h"

#include <optional>
#include <vector>

namespace quadric::widgets {

/// Panels of residuals, for plots that show one of them or all.

/// What residuals are measured in, and how far they lie from 0 by chance.
struct ResidualScale {
    bool isStudentized = true;
    std::optional<model::OutlierTest> test; ///< none: raw residuals, or too few runs to judge by
};
ResidualScale residualScale(const model::Fit& fit, bool isStudentized);

/// What the limits mean. Runs beyond the outer one bear their number.
std::vector<LegendEntry> residualLegend(const ResidualScale& scale);
LegendEntry driftEntry();

/// Against normal scores: a sample without outliers follows the line.
Panel normalPanel(const model::NormalPlot& residuals, const ResidualScale& scale);
/// Against the fitted values: a pattern is something the model misses.
Panel fittedPanel(const model::NormalPlot& residuals, const model::Fit& fit, const ResidualScale& scale);
Panel histogramPanel(const model::OrderPlot& residuals);
/// In the order of execution, with the line of the drift.
Panel orderPanel(const model::OrderPlot& residuals, const ResidualScale& scale);

/// Predicted vs. observed values of all runs, on the scale of the model. On the diagonal the model is
/// right.
class PredictedPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit PredictedPlot(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);
};

/// Four views of the residuals in one: normal plot, against fitted values, histogram, in run order.
class ResidualPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit ResidualPlot(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);
};

/// Residuals in the order of execution with the line of the drift: what changed while the runs were made.
class RunOrderPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit RunOrderPlot(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);
};

/// Profile likelihood of the power of a transform with its 95 % interval, the likeliest power and the one in
/// use.
class BoxCoxPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit BoxCoxPlot(QWidget* parent = nullptr);
    /// `profile`: of the fit.
    void setProfile(const model::Fit& fit, const model::BoxCox& profile);
};

} // namespace quadric::widgets
