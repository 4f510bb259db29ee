// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/convolution_graph.h"

#include <string>

namespace quadric::trainer::cuda {

/// Whether the engine of a configuration rounds numbers of 32 bits to fewer before it multiplies than the
/// precision allows: to TF32 on tensor cores, or to 16 bits.
bool roundsTooMuch(const GraphDescriptor& configuration, Precision precision);

/// "engine 38_2=12_5=30": the number of the engine, which is its own in a release of cuDNN, and the types of
/// its knobs with their values.
std::string engineName(const GraphDescriptor& configuration);

} // namespace quadric::trainer::cuda
