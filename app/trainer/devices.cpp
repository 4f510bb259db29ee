// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_output.h"
#include "launch_ranks.h"

#include "core/text/numbers.h"
#include "core/trainer/cpu/cpu_support.h"

#include <cmath>
#include <iostream>

namespace quadric::app {

namespace {

std::vector<std::string> precisions(const trainer::Machine& machine)
{
    if (!machine.limits.whyNoCpu.empty())
        return {};
    return machine.limits.hasBf16 ? std::vector<std::string>{"fp32", "bf16"}
                                  : std::vector<std::string>{"fp32"};
}

std::string sentence(const trainer::Machine& machine)
{
    if (!machine.limits.whyNoCpu.empty())
        return machine.cpu + " is not measured: " + machine.limits.whyNoCpu + ".";
    constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
    const long gib = std::lround(static_cast<double>(machine.limits.availableBytes) / kGib);
    return machine.cpu + " with " + text::formatCount(machine.limits.cores, "core") + " and " +
           std::to_string(gib) + " GiB of free memory measures up to " +
           text::formatCount(machine.limits.cores, "rank") + " of one thread in " +
           (machine.limits.hasBf16 ? "fp32 and bf16" : "fp32; it has no instructions for bf16") + " with " +
           trainer::readCpuSupport().library + ".";
}

} // namespace

int listDevices(const Options& options)
{
    const trainer::Machine machine = trainer::readMachine();
    const trainer::cuda::CudaSupport gpus = trainer::cuda::readCudaSupport();
    const std::string about = sentence(machine) + ' ' + describe(gpus);
    if (isForPeople(options.format)) {
        std::cout << about << '\n';
        return 0;
    }
    nlohmann::json event = hello(machine);
    event["device"]["memory_available_bytes"] = machine.limits.availableBytes;
    event["device"]["precisions"] = precisions(machine);
    event["device"]["gpus"] = describeGpus(gpus.survey.gpus);
    event["device"]["gpu_driver"] = gpus.survey.driver;
    event["device"]["gpus_are_measured"] = gpus.whyNot.empty();
    if (!gpus.whyNot.empty())
        event["device"]["gpus_are_not_measured_because"] = gpus.whyNot;
    event["device"]["gpus_about"] = measuredWords(gpus);
    event["device"]["about"] = about;
    makeSink(options.format)(event);
    return 0;
}

} // namespace quadric::app
