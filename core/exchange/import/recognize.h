// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::exchange {

/// What a set of runs turned out to be.
struct RecognizedDesign {
    std::string type; ///< a design type of the command line, or "custom"
    int centerRuns = 0;
    int replicates = 1;
    std::string sentence; ///< "Box–Behnken design for 3 factors, 12 runs and 3 center runs"
};

/// Puts low and high of every numeric factor at the levels that a design codes −1 and +1: the inner levels
/// where five symmetric ones are found (central composite), otherwise smallest and largest value. Discrete
/// factors keep theirs.
void setRangesFromRuns(study::Study& study);

/// Compares the runs with what defines each design: Box–Behnken (every run has the same small number of
/// factors off the center, as published), central composite (a cube and axial runs), full factorial (each
/// combination equally often), two-level fraction (closed under the product of any three runs), Plackett–
/// Burman (orthogonal two-level columns, runs a multiple of four), definitive screening (foldover pairs with
/// one factor at zero), Latin hypercube (every level once in each column). Settings within 5 % of half the
/// range of a level count as that level, because designs are rounded to what can be run.
RecognizedDesign recognize(const study::Study& study);

/// Writes the kinds of the runs (design, center, axial) and the design specification.
void applyRecognized(study::Study& study, const RecognizedDesign& design);

} // namespace quadric::exchange
