// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <filesystem>
#include <string>

namespace quadric::run {

/// The text of a Python script that imports quadric_worker.py; empty for any other file.
std::string readWorkerScript(const std::filesystem::path& file);

/// What such a script says of its factors and responses, as a start that is edited: a factor for each setting
/// with a default that is a number (from half of it to twice, log2, so that it is the middle) or true or
/// false; `gpus` from 1 to `mostRanks` where it uses torch.distributed; the speed in the unit of its steps,
/// and the scaling efficiency where ranks vary (weak where steps have items_per_rank). Studies that have
/// factors or responses stay as they are.
study::Study withScriptSettings(study::Study study, const std::string& script, int mostRanks);

} // namespace quadric::run
