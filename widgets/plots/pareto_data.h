// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "widgets/plots/panel/panel.h"

namespace quadric::widgets {

/// Bars of |t|, or of |effect|, longest first, negative ones hatched, with the limits of chance by name.
Panel paretoPanel(const model::Fit& fit);

} // namespace quadric::widgets
