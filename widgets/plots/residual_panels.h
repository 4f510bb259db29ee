// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/outliers.h"
#include "core/model/predict/curves.h"
#include "widgets/plots/panel/panel.h"

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

} // namespace quadric::widgets
