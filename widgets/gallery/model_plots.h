// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"

#include <memory>
#include <optional>
#include <utility>

namespace quadric::widgets {

class Plot;

/// Two factors of a study by their index: across, and deep or up.
using AxisChoice = std::optional<std::pair<std::size_t, std::size_t>>;

/// The plot of the Explore page's view that has this name; null where no view has it or the view is no
/// drawing.
std::shared_ptr<Plot> modelPlot(const std::string& kind, const study::Study& study, const model::Fit& fit,
                                const AxisChoice& axes);

} // namespace quadric::widgets
