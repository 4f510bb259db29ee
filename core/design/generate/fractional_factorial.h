// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/generate/confounding.h"

namespace quadric::design {

/// The fraction that a specification asks for: its generators; else the minimum aberration fraction of `runs`
/// runs; else the smallest of at least `resolution`; else the smallest of resolution IV, where there is none
/// of resolution III. Throws DesignError when they contradict each other or a main effect would be aliased
/// with another.
Fraction fractionFor(const study::DesignSpec& spec, int factors);

/// The points of a two-level factorial or fraction in the blocks that confound least, block by block.
std::vector<DesignPoint> blockedFraction(const study::Study& study, const Fraction& fraction, int blocks);

} // namespace quadric::design
