// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/cuda_support.h"

#include "core/text/numbers.h"
#include "core/trainer/base/failure.h"

#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>

namespace quadric::trainer::cuda {

SharedLibrary::SharedLibrary(const std::string& file)
    : m_handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
{
    if (m_handle != nullptr)
        return;
    const char* reason = dlerror();
    m_whyNot = reason == nullptr ? file + " cannot be opened" : reason;
}

void* SharedLibrary::find(const char* name) const
{
    return m_handle == nullptr ? nullptr : dlsym(m_handle, name);
}

namespace {

int majorOf(int version)
{
    return version / 1000;
}

std::string words(int version)
{
    return "CUDA " + std::to_string(majorOf(version)) + '.' + std::to_string(version % 1000 / 10);
}

/// First driver for Linux that serves all versions of CUDA with that first number: "CUDA minor version
/// compatibility" in the release notes of CUDA 13.0. 0 for one that is not listed there.
int leastDriver(int major)
{
    switch (major) {
    case 11:
        return 450;
    case 12:
        return 525;
    case 13:
        return 580;
    default:
        return 0;
    }
}

constexpr const char* kFileName = "quadric-trainer-cuda.so";

constexpr const char* kNoModule = "this build has no CUDA engine";

/// Where the module lies: QUADRIC_CUDA_MODULE, or quadric-trainer-cuda.so beside this program or in
/// ../lib/quadric of it. Empty where there is none.
std::string moduleFile()
{
    if (const char* named = std::getenv("QUADRIC_CUDA_MODULE"))
        return named;
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    for (const std::filesystem::path& folder :
         {program.parent_path(), program.parent_path().parent_path() / "lib" / "quadric"}) {
        if (std::filesystem::exists(folder / kFileName, error))
            return (folder / kFileName).string();
    }
    return {};
}

} // namespace

std::string whyDriverIsTooOld(const DriverFacts& facts)
{
    if (majorOf(facts.serves) >= majorOf(facts.needed))
        return {};
    const int least = leastDriver(majorOf(facts.needed));
    const std::string need =
        "this module needs " + words(facts.needed) +
        (least == 0 ? std::string() : ", that is driver " + std::to_string(least) + " or newer");
    if (facts.serves == 0)
        return "no NVIDIA driver is installed; " + need;
    const std::string driver = facts.driver.empty() ? "the driver" : "driver " + facts.driver;
    return driver + " serves " + words(facts.serves) + "; " + need;
}

EngineModule::EngineModule(const std::string& file)
    : m_library(file)
{
    const auto abi = asFunction<AbiFunction>(m_library.find(kAbiFunction));
    const auto ask = asFunction<AskFunction>(m_library.find(kAskFunction));
    std::string found;
    if (abi != nullptr)
        abi(found);
    if (!m_library.isOpen())
        m_answer.whyNot = "the CUDA engine cannot be loaded (" + m_library.whyNot() + ")";
    else if (ask == nullptr || found != abiOfModule())
        m_answer.whyNot = file + " belongs to another build of this program";
    else
        ask(m_answer);
}

std::unique_ptr<Engine> EngineModule::make(const Workload& workload, Collective& collective) const
{
    if (!m_answer.whyNot.empty())
        throw Failure(kBadSettings, "engine cuda: " + m_answer.whyNot);
    std::unique_ptr<Engine> engine;
    asFunction<MakeFunction>(m_library.find(kMakeFunction))(workload, collective, engine);
    return engine;
}

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
    const std::string disturbance = machine::describeForeignUse(support.survey.gpus);
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
