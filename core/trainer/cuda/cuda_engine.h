// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/engine.h"

#include <memory>
#include <string>

namespace quadric::trainer::cuda {

/// The engine of one rank on its GPU. All ranks make theirs together. Throws Failure.
std::unique_ptr<Engine> newCudaEngine(const Workload& workload, Collective& collective);

/// "CUDA 13.0, cuDNN 9.19.0, NCCL 2.28.9"
std::string libraryVersions();

} // namespace quadric::trainer::cuda
