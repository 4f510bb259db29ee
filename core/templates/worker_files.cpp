// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/templates/worker_files.h"

namespace quadric::templates {

namespace {

constexpr WorkerFile kWorkerFiles[] = {
#include "worker_texts.inc"
};

} // namespace

std::span<const WorkerFile> workerFiles()
{
    return kWorkerFiles;
}

} // namespace quadric::templates
