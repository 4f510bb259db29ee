// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/histogram.h"
#include "core/model/predict/curves.h"
#include "widgets/plots/panel/panel.h"

namespace quadric::widgets {

/// Panels of residuals, for plots that show one of them or all.

/// Against normal scores: a sample without outliers follows the line.
Panel normalPanel(const model::NormalPlot& residuals);
/// Against the fitted values: a pattern is something the model misses.
Panel fittedPanel(const model::NormalPlot& residuals, const model::Fit& fit);
Panel histogramPanel(const model::Histogram& histogram, bool isStudentized);
/// In the order of execution, with the line of the drift.
Panel orderPanel(const model::OrderPlot& residuals);

/// Run, order, fitted value and residual of every run.
TextTable residualTable(const model::OrderPlot& residuals, const model::Fit& fit);

} // namespace quadric::widgets
