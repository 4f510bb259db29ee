// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::test {

/// A finished study of five factors and four responses that holds everything a report can speak of: a log2
/// factor, a transformed response, spreads, a disturbed, a failed and an excluded run, and confirmation runs.
/// `empty` is the same study with its runs laid out and nothing measured.
study::Study finished(study::Study empty);

/// Five factors and four responses without runs.
study::Study fiveFactors();

/// Factors x1, x2, … and responses y1, y2, …, without runs.
study::Study manyResponses(int factors, int responses);

/// All runs done with results of a quadratic formula and an error that repeats itself.
study::Study measuredByFormula(study::Study empty);

} // namespace quadric::test
