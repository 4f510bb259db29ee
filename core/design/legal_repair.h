// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/design.h"

namespace quadric::design {

/// The settings with which the points of a design are run: the nearest legal value of every factor on its
/// scale and, where a constraint forbids the result, the nearest settings that satisfy all of them (in coded
/// units, only factors that a constraint names are moved). Throws DesignError naming the point and the
/// constraint where none was found, and for a constraint that cannot be read.
std::vector<study::Settings> legalSettings(const study::Study& study, const std::vector<DesignPoint>& points);

} // namespace quadric::design
