// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string>

namespace quadric::run {

/// Tools of which it is known how they print what they have measured.
enum class Tool { MegatronLm, DeepSpeed, HuggingFaceTrainer, Lightning, VllmThroughput, VllmServe };

/// Reads a response of this name from what the tool prints: by words of the name ("step_ms", "ttft_p99_ms"),
/// or the tool's own speed where none of them fits.
std::string toolPattern(Tool tool, const std::string& response);

/// The patterns of all responses that a program has to tell.
study::ParseSpec toolPatterns(Tool tool, const study::Study& study);

} // namespace quadric::run
