// SPDX-License-Identifier: GPL-3.0-or-later
// The three functions that quadric-trainer finds in the module; see engine_module.h.
#include "core/machine/gpu.h"
#include "core/trainer/cuda/cuda_engine.h"
#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/gpu/cuda_support.h"

namespace quadric::trainer::cuda {

namespace {

constexpr int kLeastMajor = 8; ///< Ampere: bfloat16 and asynchronous copies

/// Why the visible GPUs cannot compute; empty when they can.
std::string whyGpusCannot()
{
    DriverFacts facts{machine::Nvml().driver(), 0, 0};
    QUADRIC_CHECKED(cudaDriverGetVersion(&facts.serves));
    QUADRIC_CHECKED(cudaRuntimeGetVersion(&facts.needed));
    const std::string tooOld = whyDriverIsTooOld(facts);
    if (!tooOld.empty())
        return tooOld;
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess)
        return std::string("cudaGetDeviceCount: ") + cudaGetErrorString(status);
    for (int device = 0; device < count; ++device) {
        int major = 0;
        QUADRIC_CHECKED(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
        if (major < kLeastMajor)
            return "visible GPU " + std::to_string(device) + " has compute capability " +
                   std::to_string(major) +
                   ".x; this build needs 8.0 (Ampere) or later. CUDA_VISIBLE_DEVICES leaves it out";
    }
    return {};
}

} // namespace

} // namespace quadric::trainer::cuda

using namespace quadric::trainer;

extern "C" [[gnu::visibility("default")]] void quadricCudaAbi(std::string& abi)
{
    abi = cuda::abiOfModule();
}

extern "C" [[gnu::visibility("default")]] void quadricCudaAsk(cuda::ModuleAnswer& answer)
{
    try {
        answer.versions = cuda::libraryVersions();
        answer.whyNot = cuda::whyGpusCannot();
    } catch (const std::exception& error) {
        answer.whyNot = error.what();
    }
}

extern "C" [[gnu::visibility("default")]] void
quadricCudaMake(const Workload& workload, Collective& collective, std::unique_ptr<Engine>& engine)
{
    engine = cuda::newCudaEngine(workload, collective);
}
