// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <memory>
#include <string>
#include <vector>

namespace quadric::widgets {

class Plot;

/// The plot of the Design page that has this name (plot_kinds.h); `axes` are the factors of the cube, as the
/// window chooses them where it is empty. Null for other names.
std::shared_ptr<Plot> designPlot(const std::string& kind, const study::Study& study,
                                 const std::vector<std::string>& axes);

} // namespace quadric::widgets
