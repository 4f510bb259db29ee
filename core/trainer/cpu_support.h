// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::trainer {

/// What this program can measure on processors.
struct CpuSupport {
    std::string library;  ///< that computes, with version and instruction set; empty without the engine
    bool hasBf16 = false; ///< the library has instructions for bfloat16 here
    std::string whyNot;   ///< a sentence without its full stop; empty where the engine is part of this build
};

CpuSupport readCpuSupport();

} // namespace quadric::trainer
