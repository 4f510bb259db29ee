// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <filesystem>
#include <optional>
#include <string>

namespace quadric::run {

/// What a Python says of its PyTorch.
struct TorchReport {
    std::string python, torch; ///< versions
    std::string cuda;          ///< version that it was built for; empty: none
    int gpus = 0;              ///< that it sees
};

/// A program for `python3 -c` that prints a line for readTorchReport(), and fails where there is no PyTorch.
std::string torchScript();

/// Of what that program has printed; empty where it is nothing of that kind.
std::optional<TorchReport> readTorchReport(const std::string& output);

/// "python3 here is Python 3.11.2 with PyTorch 2.1.0 for CUDA 12.1; it sees 8 GPUs."
std::string describeTorch(const std::optional<TorchReport>& report);

/// The text of a Python script that imports quadric_worker.py; empty for any other file.
std::string readWorkerScript(const std::filesystem::path& file);

/// What such a script says of its factors and responses, as a start that is edited: a factor for each setting
/// with a default that is a number (from half of it to twice, log2, so that it is the middle) or true or
/// false; `gpus` from 1 to `mostRanks` where it uses torch.distributed; the speed in the unit of its steps,
/// and the scaling efficiency where ranks vary (weak where steps have items_per_rank). Studies that have
/// factors or responses stay as they are.
study::Study withScriptSettings(study::Study study, const std::string& script, int mostRanks);

} // namespace quadric::run
