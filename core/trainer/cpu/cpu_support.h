// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/engine.h"

namespace quadric::trainer {

/// What this program can measure on processors.
struct CpuSupport {
    std::string library;  ///< that computes, with version and instruction set; empty without the engine
    bool hasBf16 = false; ///< the library has instructions for bfloat16 here
    std::string whyNot;   ///< a sentence without its full stop; empty where the engine is part of this build
};

CpuSupport readCpuSupport();

/// The engine that computes on this machine's processors. Throws Failure (out-of-memory, internal).
std::unique_ptr<Engine> makeCpuEngine(const Workload& workload, Collective& collective);

} // namespace quadric::trainer
