// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric {

enum class BenchmarkFactors { Continuous, Listed, Mixed };

/// A study of smooth responses, each with a curvature and interactions of its own, with `runs` runs spread
/// over three levels of every factor; every second response is to be maximized, the others minimized.
study::Study sliderStudy(int factors, int responses, int runs, BenchmarkFactors kind);

} // namespace quadric
