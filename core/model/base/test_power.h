// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::model {

/// Chance that an F test at the 5 % level finds an effect of this noncentrality; never below the level.
double computeTestPower(int df, int dfError, double noncentrality);

} // namespace quadric::model
