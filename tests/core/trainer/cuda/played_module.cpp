// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for the CUDA engine where quadric-trainer opens it: steps that only wait, on GPUs of which that of
// rank 1 is hot for a fifth of the time. With PLAYED_LEFT_THREAD no rank gets one.
#include "core/machine/gpu.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/gpu/cuda_support.h"

#include <cstdlib>
#include <thread>

namespace quadric::trainer {
namespace {

class PlayedEngine final : public Engine {
public:
    explicit PlayedEngine(const Collective& collective)
        : m_rank(collective.rank())
    {
    }
    EngineFacts facts() const override
    {
        EngineFacts facts;
        facts.name = "cuda";
        facts.compute = "played";
        facts.collectives = "played";
        facts.device = "played GPU";
        return facts;
    }
    void reset() override {}
    StepReport step(Peers) override
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const bool isHot = m_rank == 1 && ++m_steps % 5 == 0;
        m_clocks.seconds += 0.002;
        m_clocks.add(machine::PowerLimit, 0.002);
        m_clocks.add(machine::SoftwareHeat, isHot ? 0.002 : 0.0);
        StepReport report;
        report.stepMs = 2.0;
        report.loss = 1.0;
        return report;
    }
    std::uint64_t parameterHash() override { return 1; }
    double peakMemoryMib() const override { return 1.0; }
    machine::ClockReading clocks() const override { return m_clocks; }

private:
    int m_rank;
    int m_steps = 0;
    machine::ClockReading m_clocks;
};

/// A thread that is left behind would crash where statics are taken down under it.
struct Trap {
    ~Trap() { std::abort(); }
};

void failWithAThreadLeft()
{
    static const Trap trap;
    throw Failure(kCommunication, "the other ranks did not join NCCL within 120 s");
}

} // namespace
} // namespace quadric::trainer

using namespace quadric::trainer;

extern "C" [[gnu::visibility("default")]] void quadricCudaAbi(std::string& abi)
{
    abi = cuda::abiOfModule();
}
extern "C" [[gnu::visibility("default")]] void quadricCudaAsk(cuda::ModuleAnswer& answer)
{
    answer.versions = "CUDA 13.0, cuDNN 9.19.0, NCCL 2.28.9";
    const char* serves = std::getenv("PLAYED_DRIVER_SERVES");
    answer.whyNot = cuda::whyDriverIsTooOld(
        {quadric::machine::Nvml().driver(), serves == nullptr ? 13000 : std::atoi(serves), 13000});
}
extern "C" [[gnu::visibility("default")]] void quadricCudaMake(const Workload&, Collective& collective,
                                                               std::unique_ptr<Engine>& engine)
{
    if (std::getenv("PLAYED_LEFT_THREAD") != nullptr)
        failWithAThreadLeft();
    engine = std::make_unique<PlayedEngine>(collective);
}
