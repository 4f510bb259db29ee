// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/validation.h"

#include "core/machine/processor.h"
#include "core/text/numbers.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/base/number_format.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/gpu/step_plan.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::trainer {

Machine readMachine()
{
    const CpuSupport support = readCpuSupport();
    Machine machine{.host = machine::readHostName(), .cpu = machine::readProcessorName(), .limits = {}};
    machine.limits.cores = machine::countUsableCores();
    machine.limits.hasBf16 = support.hasBf16;
    machine.limits.whyNoCpu = support.whyNot;
    machine.limits.availableBytes = machine::readAvailableBytes();
    return machine;
}

namespace {

constexpr double kMemoryShare = 0.9; ///< of what is available may be claimed

Network requireNetwork(const Workload& workload)
{
    const std::optional<Network> network = makeNetwork(workload.network);
    if (!network)
        throw Failure(kBadSettings, "network: unknown name \"" + workload.network + '"');
    return *network;
}

void checkImageSize(const Workload& workload, const Network& network)
{
    try {
        inferShapes(network, {3, workload.imageSize, workload.imageSize});
    } catch (const std::invalid_argument& error) {
        throw Failure(kBadSettings, "image_size " + std::to_string(workload.imageSize) + ": " + error.what());
    }
}

void checkThreads(const Workload& workload, const MachineLimits& limits, int ranksHere)
{
    const long threads = static_cast<long>(ranksHere) * workload.threadsPerRank;
    if (threads <= limits.cores || workload.oversubscribe)
        return;
    throw Failure(kBadSettings, "ranks × threads_per_rank = " + std::to_string(threads) +
                                    " is more than the " + std::to_string(limits.cores) +
                                    " cores that this process may use; set oversubscribe to on to allow it");
}

void checkPrecision(const Workload& workload, const MachineLimits& limits)
{
    if (workload.precision == Precision::Fp16)
        throw Failure(kBadSettings, "precision fp16: processors compute in fp32 or bf16; fp16 is for GPUs");
    if (workload.precision == Precision::Tf32)
        throw Failure(kBadSettings, "precision tf32: processors compute in fp32 or bf16; tf32 is for GPUs");
    if (workload.precision == Precision::Bf16 && !limits.hasBf16)
        throw Failure(kBadSettings, "precision bf16: this processor has no instructions for bfloat16 "
                                    "(AVX-512 BF16 or AMX), and without them it is slower than fp32");
}

[[noreturn]] void throwOutOfMemory(std::int64_t wanted, std::int64_t available, const std::string& where)
{
    throw Failure(kOutOfMemory, "this run needs about " + std::to_string(wanted / kMib) + " MiB" + where +
                                    ", " + std::to_string(available / kMib) + " MiB are available");
}

/// Ranks take the GPUs in turn; with oversubscribe several share one.
void checkGpus(const Workload& workload, const MachineLimits& limits, const Network& network, int ranksHere)
{
    if (!limits.whyNoGpu.empty())
        throw Failure(kBadSettings, "engine cuda: " + limits.whyNoGpu);
    const auto gpus = static_cast<int>(limits.gpuFreeBytes.size());
    if (ranksHere > gpus && !workload.oversubscribe)
        throw Failure(kBadSettings, "ranks " + std::to_string(ranksHere) + ": this process may use " +
                                        text::formatCount(gpus, "GPU") +
                                        "; set oversubscribe to on to let ranks share GPUs, which shows that "
                                        "a run works, not how fast it is");
    if (workload.link.isEmulated())
        throw Failure(kBadSettings, "link_gbit and link_latency_us: emulated links slow the exchange of the "
                                    "cpu engine down, not that of GPUs");
    const std::int64_t wanted = estimateMemory(workload, network).total();
    for (int gpu = 0; gpu < std::min(gpus, ranksHere); ++gpu) {
        const int sharing = (ranksHere - gpu + gpus - 1) / gpus;
        if (wanted * sharing > limits.gpuFreeBytes[static_cast<std::size_t>(gpu)])
            throwOutOfMemory(wanted * sharing, limits.gpuFreeBytes[static_cast<std::size_t>(gpu)],
                             " on a GPU");
    }
}

/// A baseline needs no more than the ranks: it has the same micro-batch.
void checkMemory(const Workload& workload, const MachineLimits& limits, const Network& network, int ranksHere)
{
    const std::int64_t wanted = ranksHere * estimateMemory(workload, network).total();
    if (limits.availableBytes == 0 ||
        static_cast<double>(wanted) <= kMemoryShare * static_cast<double>(limits.availableBytes))
        return;
    throwOutOfMemory(wanted, limits.availableBytes, "");
}

/// A baseline that is known from elsewhere must be one.
void checkGivenBaseline(const Workload& workload)
{
    if (workload.baselineHalfWidth && !workload.baselineRate)
        throw Failure(kBadSettings,
                      "baseline_half_width: expected baseline_rate beside it, the speed that it "
                      "belongs to");
    if (workload.baselineRate && !workload.baseline)
        throw Failure(kBadSettings,
                      "baseline_rate: baseline is off, expected it to be on where a baseline is "
                      "given");
    if (workload.baselineHalfWidth && *workload.baselineHalfWidth >= *workload.baselineRate)
        throw Failure(kBadSettings, "baseline_half_width: expected less than baseline_rate");
}

void validateHere(const Workload& workload, const MachineLimits& limits, int ranksHere)
{
    const Network network = requireNetwork(workload);
    checkImageSize(workload, network);
    checkGivenBaseline(workload);
    if (workload.engine == EngineKind::Simulated)
        return;
    if (workload.engine == EngineKind::Cuda) {
        checkGpus(workload, limits, network, ranksHere);
        return;
    }
    if (workload.engine == EngineKind::Automatic)
        throw Failure(kBadSettings, "engine auto: GPUs are not measured: " + limits.whyNoGpu +
                                        "; processors: " + limits.whyNoCpu);
    if (!limits.whyNoCpu.empty())
        throw Failure(kBadSettings, "engine cpu: " + limits.whyNoCpu);
    checkThreads(workload, limits, ranksHere);
    checkPrecision(workload, limits);
    checkMemory(workload, limits, network, ranksHere);
}

} // namespace

MemoryEstimate estimateMemory(const Workload& workload, const Network& network)
{
    return workload.engine == EngineKind::Cuda ? cuda::estimateGpuMemory(workload, network)
                                               : estimateProcessMemory(workload, network);
}

std::optional<double> estimateMemoryMib(const Workload& workload)
try {
    const std::optional<Network> network = makeNetwork(workload.network);
    if (!network)
        return std::nullopt;
    return workload.ranks * static_cast<double>(estimateMemory(workload, *network).total()) / double{kMib};
} catch (const std::invalid_argument&) { // images of this size do not fit the network
    return std::nullopt;
}

void validate(const Workload& workload, const MachineLimits& limits)
{
    validateHere(workload, limits, workload.ranks);
}

void validateRank(const Workload& workload, MachineLimits limits, int placeOnHost)
{
    if (!limits.gpuFreeBytes.empty()) {
        const std::size_t own = static_cast<std::size_t>(placeOnHost) % limits.gpuFreeBytes.size();
        limits.gpuFreeBytes = std::vector<std::int64_t>{limits.gpuFreeBytes[own]};
    }
    validateHere(workload, limits, 1);
}

} // namespace quadric::trainer
