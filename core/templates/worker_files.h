// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace quadric::templates {

/// A file that a training script of one's own needs, or an example of one.
struct WorkerFile {
    std::string_view name;
    std::string_view text;
};

/// As they are installed in share/quadric/worker.
std::span<const WorkerFile> workerFiles();

} // namespace quadric::templates
