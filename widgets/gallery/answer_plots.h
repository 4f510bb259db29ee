// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/gallery/model_plots.h"
#include "widgets/optimize/optimize_session.h"

namespace quadric::widgets {

class Plot;

/// The plot of the Optimize page that has this name, at the setting that `answer` shows. Searches that the
/// page runs in the background are waited for. `responses` are two for the trade-off front, one for the plots
/// about a response. Null for other names.
std::shared_ptr<Plot> answerPlot(const std::string& kind, const Answer& answer,
                                 const std::vector<std::string>& responses, const AxisChoice& axes);

} // namespace quadric::widgets
