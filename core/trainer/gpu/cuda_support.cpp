// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/cuda_support.h"

#include "core/machine/nvml.h"
#include "core/text/numbers.h"
#include "core/trainer/gpu/engine_module.h"

#include <cstdlib>

namespace quadric::trainer::cuda {

namespace {

constexpr const char* kNoModule = "this build has no CUDA engine";

} // namespace

CudaSupport readCudaSupport()
{
    machine::GpuSurvey survey =
        machine::restricted(machine::Nvml().survey(), std::getenv("CUDA_VISIBLE_DEVICES"));
    const std::string file = moduleFile();
    if (file.empty())
        return joined(std::move(survey), {}, kNoModule);
    const EngineModule module(file);
    return joined(std::move(survey), module.versions(), module.whyNot());
}

CudaSupport joined(machine::GpuSurvey survey, const std::string& moduleVersions,
                   const std::string& moduleWhyNot)
{
    CudaSupport support{std::move(survey), moduleVersions, moduleWhyNot};
    if (support.survey.gpus.empty())
        support.whyNot = support.survey.whyNone + (moduleWhyNot == kNoModule ? ", and " + moduleWhyNot : "");
    return support;
}

std::string measuredWords(const CudaSupport& support)
{
    if (!support.whyNot.empty())
        return "GPUs are not measured: " + support.whyNot + ". Engine simulated plans for them.";
    const std::string text = "Engine cuda measures up to " +
                             text::formatCount(support.survey.gpus.size(), "rank") +
                             " in fp32, tf32, fp16 and bf16 with " + support.versions + ".";
    const std::string disturbance = machine::foreignUse(support.survey.gpus);
    return disturbance.empty() ? text : text + " A run now would be disturbed: " + disturbance + ".";
}

std::string describe(const CudaSupport& support)
{
    std::string text;
    for (const machine::Gpu& gpu : support.survey.gpus)
        text += (text.empty() ? "" : "; ") + machine::describe(gpu);
    if (!text.empty())
        text += ", driver " + support.survey.driver + ". ";
    return text + measuredWords(support);
}

void addGpuLimits(MachineLimits& limits, const CudaSupport& support)
{
    limits.whyNoGpu = support.whyNot;
    limits.gpuFreeBytes.clear();
    for (const machine::Gpu& gpu : support.survey.gpus)
        limits.gpuFreeBytes.push_back(gpu.freeBytes);
}

std::unique_ptr<Engine> makeCudaEngine(const Workload& workload, Collective& collective)
{
    return EngineModule(moduleFile()).make(workload, collective);
}

} // namespace quadric::trainer::cuda
