// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace quadric::run
