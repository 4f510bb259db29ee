// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/gpu.h"
#include "core/trainer/base/compiler_name.h"
#include "core/trainer/exchange/engine.h"

#include <string>

namespace quadric::trainer::cuda {

/// A library that is opened while the program runs, because it may be missing. It stays open until the
/// program ends: what it made and threw outlives this object.
class SharedLibrary {
public:
    /// Tries to open it; look at isOpen().
    explicit SharedLibrary(const std::string& file);

    bool isOpen() const { return m_handle != nullptr; }
    const std::string& whyNot() const { return m_whyNot; } ///< the system's words; empty when it is open
    /// The function of that name, null when the library has none.
    void* find(const char* name) const;

private:
    void* m_handle;
    std::string m_whyNot;
};

/// POSIX hands out functions as data.
template <typename Function> Function* asFunction(void* symbol)
{
    return reinterpret_cast<Function*>(symbol);
}

/// What the driver and the module say of themselves. CUDA's versions are whole numbers, 12040 for 12.4.
struct DriverFacts {
    std::string driver; ///< its own version, "550.54.15"; empty where it is not known
    int serves = 0;     ///< newest CUDA that it serves (cudaDriverGetVersion); 0 without a driver
    int needed = 0;     ///< CUDA that the module is built with (cudaRuntimeGetVersion)
};

/// Why this driver cannot serve the module, as a sentence without its full stop; empty where it can. A driver
/// serves all CUDA versions with its own first number and earlier ones.
std::string whyDriverIsTooOld(const DriverFacts& facts);

/// What the module says when it is asked whether it can compute here.
struct ModuleAnswer {
    std::string versions; ///< "CUDA 13.0, cuDNN 9.19.0, NCCL 2.28.9"
    std::string whyNot;   ///< a sentence without its full stop; empty when it can
};

// The functions that the module exports. Both sides must have been built alike: abiOfModule() compares.
inline constexpr const char* kAbiFunction = "quadricCudaAbi";
inline constexpr const char* kAskFunction = "quadricCudaAsk";
inline constexpr const char* kMakeFunction = "quadricCudaMake";
using AbiFunction = void(std::string&);
using AskFunction = void(ModuleAnswer&);
using MakeFunction = void(const Workload&, Collective&, std::unique_ptr<Engine>&);

/// Equal for a program and a module that understand each other.
inline std::string abiOfModule()
{
    return "5 " + std::to_string(sizeof(Workload)) + ' ' + std::to_string(sizeof(EngineFacts)) + ' ' +
           compilerName();
}

/// The CUDA engine as a library of its own, so that one program runs with and without CUDA.
class EngineModule {
public:
    /// Opens the module in that file.
    explicit EngineModule(const std::string& file);

    /// Why it cannot compute; empty when it can.
    const std::string& whyNot() const { return m_answer.whyNot; }
    const std::string& versions() const { return m_answer.versions; }

    /// Throws Failure.
    std::unique_ptr<Engine> make(const Workload& workload, Collective& collective) const;

private:
    SharedLibrary m_library;
    ModuleAnswer m_answer;
};

/// What this machine can measure on GPUs.
struct CudaSupport {
    machine::GpuSurvey survey; ///< GPUs that CUDA_VISIBLE_DEVICES leaves
    std::string versions;      ///< of the libraries; empty where they cannot be loaded
    std::string whyNot;        ///< a sentence without its full stop; empty where GPUs are measured
};
CudaSupport readCudaSupport();

/// Puts the answers of the driver and of the module together; the driver's reason comes first, because
/// without a GPU no module helps.
CudaSupport joined(machine::GpuSurvey survey, const std::string& moduleVersions,
                   const std::string& moduleWhyNot);

/// In a sentence or two: what can be measured on the GPUs, or why nothing.
std::string measuredWords(const CudaSupport& support);

/// The same after a list of the GPUs.
std::string describe(const CudaSupport& support);

/// Fills in what the GPUs allow.
void addGpuLimits(MachineLimits& limits, const CudaSupport& support);

/// The engine that computes on GPUs. Throws Failure: bad-settings where there are none, out-of-memory,
/// communication, internal.
std::unique_ptr<Engine> makeCudaEngine(const Workload& workload, Collective& collective);

} // namespace quadric::trainer::cuda
