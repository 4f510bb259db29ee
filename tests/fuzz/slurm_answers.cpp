// SPDX-License-Identifier: GPL-3.0-or-later
// What squeue, scontrol, sinfo, sbatch, srun and a job's own file say: read or left out, in finite numbers.
#include "core/run/slurm/job_outcome.h"
#include "core/run/slurm/job_status.h"
#include "core/run/slurm/slurm_launcher.h"

#include "fuzz.h"

#include <cmath>

using namespace quadric;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    const auto isDuration = [](double seconds) { return std::isfinite(seconds) && seconds >= 0.0; };
    for (const auto& [name, entry] : run::parseQueue(text))
        fuzz::expect(isDuration(entry.seconds), "a job's time is no duration");
    fuzz::expect(isDuration(run::parseSlurmDuration(text)), "no duration");
    if (const auto record = run::parseJobRecord(text))
        fuzz::expect(isDuration(record->seconds), "a record's time is no duration");
    run::parseJobEnd(text);
    for (const char letter : run::parseJobId(text))
        fuzz::expect(letter >= '0' && letter <= '9', "a job's id has letters");
    const std::vector<run::ClusterNode> nodes = run::parseClusterNodes(text);
    for (const run::ClusterNode& node : nodes)
        fuzz::expect(node.cpus >= 0 && node.gpus >= 0, "a node has less than nothing");
    fuzz::expect(run::parseGpuCount(text) >= 0, "less than no GPU");
    fuzz::expect(!run::submitError(text, {}, nodes).message.empty(), "refused without words");
    run::parseRankStatus(text);
    run::isJobEndMessage(text);
    return 0;
}
