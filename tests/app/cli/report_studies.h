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

} // namespace quadric::test
