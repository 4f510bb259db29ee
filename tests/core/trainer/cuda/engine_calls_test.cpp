// SPDX-License-Identifier: GPL-3.0-or-later
// The whole CUDA engine on a GPU that is played on the processor: its numbers, and the calls that it makes.
#include "core/trainer/base/failure.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/cuda/cuda_engine.h"

#include "../rank_threads.h"
#include "played_gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace quadric::trainer::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Order;

constexpr int kSteps = 3; // call by call, recorded and launched, launched again

Workload smallRun(int ranks)
{
    Workload workload;
    workload.engine = EngineKind::Cuda;
    workload.network = "resnet8";
    workload.imageSize = 9;
    workload.batchPerRank = 2;
    workload.bucketMib = 0.1;
    workload.ranks = ranks;
    return workload;
}

struct Trace {
    std::vector<double> losses;
    std::vector<std::uint64_t> hashes; ///< of the parameters, by rank
    double bytes = 0.0;
};

template <typename MakeEngine> Trace traceOf(const Workload& workload, const MakeEngine& make)
{
    Trace trace;
    trace.hashes.resize(static_cast<std::size_t>(workload.ranks));
    testing::asRanks(workload.ranks, [&](Collective& collective) {
        const std::unique_ptr<Engine> engine = make(workload, collective);
        for (int i = 0; i < kSteps; ++i) {
            const StepReport report = engine->step(Peers::Exchange);
            if (collective.rank() == 0)
                trace.losses.push_back(report.loss);
            if (collective.rank() == 0)
                trace.bytes = report.bytesSent;
        }
        trace.hashes[static_cast<std::size_t>(collective.rank())] = engine->parameterHash();
    });
    return trace;
}

Trace onPlayedGpu(const Workload& workload, Order order)
{
    testing::newPlayedGpu(order);
    const Trace trace = traceOf(workload, newCudaEngine);
    EXPECT_THAT(testing::violations(), IsEmpty());
    for (const std::uint64_t hash : trace.hashes)
        EXPECT_EQ(hash, trace.hashes[0]) << "ranks hold different parameters";
    return trace;
}

void expectNear(const Trace& found, const Trace& expected, double tolerance)
{
    for (std::size_t step = 0; step < expected.losses.size(); ++step)
        EXPECT_NEAR(found.losses[step], expected.losses[step], tolerance * expected.losses[0])
            << "step " << step;
}

class EngineCalls : public ::testing::TestWithParam<Order> {};
INSTANTIATE_TEST_SUITE_P(Orders, EngineCalls, ::testing::Values(Order::OthersLate, Order::OthersEarly),
                         [](const auto& instance) {
                             return instance.param == Order::OthersLate ? "OthersLate" : "OthersEarly";
                         });

TEST_P(EngineCalls, OneRankRecordsItsStepOnceAndGivesTheLossesOfTheProcessor)
{
    const Workload workload = smallRun(1);
    expectNear(onPlayedGpu(workload, GetParam()), traceOf(workload, makeCpuEngine), 1e-5);
    EXPECT_EQ(testing::callsOf("cudaGraphInstantiate"), 1);
    EXPECT_EQ(testing::callsOf("cudaGraphLaunch"), kSteps - 1);
}

TEST_P(EngineCalls, MicroBatchesAreAddedUp)
{
    Workload workload = smallRun(1);
    workload.aggregation = 2;
    expectNear(onPlayedGpu(workload, GetParam()), traceOf(workload, makeCpuEngine), 1e-5);
}

TEST_P(EngineCalls, TwoRanksExchangeOnTheSideStream)
{
    for (const bool overlap : {true, false}) {
        Workload workload = smallRun(2);
        workload.overlap = overlap;
        expectNear(onPlayedGpu(workload, GetParam()), traceOf(workload, makeCpuEngine), 1e-5);
    }
}

TEST_P(EngineCalls, TopkSendsWhatTheProcessorSends)
{
    Workload workload = smallRun(2);
    workload.exchange.compressionPct = 90.0;
    const Trace found = onPlayedGpu(workload, GetParam());
    const Trace expected = traceOf(workload, makeCpuEngine);
    expectNear(found, expected, 1e-5);
    EXPECT_EQ(found.bytes, expected.bytes);
}

TEST_P(EngineCalls, AlignedChunksInSixteenBitsKeepTheRanksEqual)
{
    Workload workload = smallRun(2);
    workload.exchange.compressionPct = 80.0;
    workload.exchange.method = CompressionMethod::Aligned;
    workload.exchange.wire = WireType::Bf16;
    const Trace found = onPlayedGpu(workload, GetParam());
    EXPECT_TRUE(std::isfinite(found.losses.back()));
}

TEST(EngineOnPlayedGpu, SixteenBitsTrainAsWell)
{
    Workload workload = smallRun(1);
    const Trace expected = traceOf(workload, makeCpuEngine);
    for (const Precision precision : {Precision::Bf16, Precision::Fp16}) {
        workload.precision = precision;
        expectNear(onPlayedGpu(workload, Order::OthersLate), expected, 0.05);
    }
}

TEST(EngineOnPlayedGpu, RanksThatShareAGpuExchangeThroughTheHost)
{
    const Workload workload = smallRun(3); // two GPUs
    expectNear(onPlayedGpu(workload, Order::OthersLate), traceOf(workload, makeCpuEngine), 1e-5);
    EXPECT_EQ(testing::callsOf("cudaGraphInstantiate"), 0) << "the host takes part in the step";
}

TEST(EngineOnPlayedGpu, LostRanksEndTheStepAndFreeTheGpuInOrder)
{
    testing::newPlayedGpu(Order::OthersLate);
    std::string kind;
    std::vector<std::string> end;
    testing::asRanks(2, [&](Collective& collective) {
        std::unique_ptr<Engine> engine = newCudaEngine(smallRun(2), collective);
        for (int i = 0; i < kSteps; ++i)
            engine->step(Peers::Exchange);
        double all = 0.0;
        collective.sum(std::span<double>(&all, 1));
        if (collective.rank() == 0)
            testing::loseTheOtherRanks(true);
        else
            return;
        testing::endOfExchange().clear();
        try {
            engine->step(Peers::Exchange);
        } catch (const Failure& failure) {
            kind = failure.kind();
        }
        engine.reset();
        end = testing::endOfExchange();
    });
    EXPECT_EQ(kind, kCommunication);
    ASSERT_GE(end.size(), 3U);
    EXPECT_THAT(std::vector(end.begin(), end.begin() + 3),
                ElementsAre("graph destroyed", "communicator aborted", "memory freed"))
        << "memory is freed when no kernel waits for others";
    EXPECT_THAT(testing::violations(), IsEmpty());
}

} // namespace
} // namespace quadric::trainer::cuda
