// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/compiler_name.h"
#include "core/trainer/exchange/engine.h"
#include "core/trainer/gpu/shared_library.h"

namespace quadric::trainer::cuda {

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

/// Where the module lies: QUADRIC_CUDA_MODULE, or quadric-trainer-cuda.so beside this program or in
/// ../lib/quadric of it. Empty where there is none.
std::string moduleFile();

} // namespace quadric::trainer::cuda
