// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/generate/fraction.h"

namespace quadric::design {

inline constexpr int kMostFractionFactors = 15;

/// The 2^basic-run fraction of minimum aberration for `factors` factors (at most 15): of all fractions of
/// this size the one with fewest words of length 3, among those fewest of length 4, and so on. Chen, Sun & Wu
/// 1993 for up to 64 runs, Block & Mee 2005 and Xu 2009 beyond. The full factorial where basic = factors.
/// Throws DesignError when there is no fraction of resolution III of this size, naming the least.
Fraction minimumAberration(int factors, int basic);

/// The fewest basic factors whose fraction of minimum aberration has at least this resolution; `factors` (no
/// fraction at all) where none has.
int fewestBasicFactors(int factors, int resolution);

} // namespace quadric::design
