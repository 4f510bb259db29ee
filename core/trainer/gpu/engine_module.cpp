// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/engine_module.h"

#include "core/trainer/base/failure.h"

#include <cstdlib>
#include <filesystem>

namespace quadric::trainer::cuda {

namespace {

constexpr const char* kFileName = "quadric-trainer-cuda.so";

} // namespace

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

} // namespace quadric::trainer::cuda
