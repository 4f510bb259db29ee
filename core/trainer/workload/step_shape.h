// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/precision.h"
#include "core/trainer/workload/network.h"

namespace quadric::trainer {

/// What a training step computes at once, and in which number format.
struct StepShape {
    Shape image;
    int batch = 1;
    Precision precision = Precision::Fp32;
};

} // namespace quadric::trainer
