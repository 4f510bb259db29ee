// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/generate/fraction.h"
#include "core/design/generate/full_factorial.h"

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

/// The fraction that a specification asks for: its generators; else the minimum aberration fraction of `runs`
/// runs; else the smallest of at least `resolution`; else the smallest of resolution IV, where there is none
/// of resolution III. Throws DesignError when they contradict each other or a main effect would be aliased
/// with another.
Fraction fractionFor(const study::DesignSpec& spec, int factors);

/// The points of a two-level factorial or fraction in the blocks that confound least, block by block.
std::vector<DesignPoint> blockedFraction(const study::Study& study, const Fraction& fraction, int blocks);

} // namespace quadric::design
