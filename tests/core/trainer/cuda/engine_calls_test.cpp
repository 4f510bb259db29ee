// SPDX-License-Identifier: GPL-3.0-or-later
// The whole CUDA engine on a GPU that is played on the processor: its numbers, and the calls that it makes.
#include "core/trainer/base/failure.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/cuda/cuda_engine.h"
#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/cuda/stream.h"

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
    EXPECT_EQ(testing::callsOf("convolution in TF32") > 0, workload.precision == Precision::Tf32);
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

/// As PyTorch by default: TF32 where fp32 is asked for with tf32, and only there; nothing is stored
/// otherwise.
TEST(EngineOnPlayedGpu, Tf32TakesTensorCoresAndFp32DoesNot)
{
    Workload workload = smallRun(1);
    const Trace expected = traceOf(workload, makeCpuEngine);
    workload.precision = Precision::Tf32;
    expectNear(onPlayedGpu(workload, Order::OthersLate), expected, 1e-5); // the played one does not round
    EXPECT_GT(testing::callsOf("product in TF32"), 0);
    workload.precision = Precision::Fp32;
    onPlayedGpu(workload, Order::OthersLate);
    EXPECT_EQ(testing::callsOf("product in TF32"), 0);
}

/// Losses of rank 0 while it trains, two micro-batches a step, and then of a measured step.
template <typename MakeEngine> std::vector<double> trainedLosses(const MakeEngine& make)
{
    Workload workload = smallRun(2);
    workload.aggregation = 2;
    std::vector<double> losses;
    testing::asRanks(2, [&](Collective& collective) {
        const std::unique_ptr<Engine> engine = make(workload, collective);
        const auto step = [&] {
            const double loss = engine->step(Peers::Exchange).loss;
            if (collective.rank() == 0)
                losses.push_back(loss);
        };
        engine->useTrainingBatches(true);
        for (int i = 0; i < kSteps + 1; ++i)
            step();
        engine->useTrainingBatches(false);
        engine->reset();
        step();
    });
    return losses;
}

TEST(EngineOnPlayedGpu, ImagesThatChangeGiveTheLossesOfTheProcessorAndThenTheMeasuredOnesAgain)
{
    testing::newPlayedGpu(Order::OthersLate);
    const std::vector<double> found = trainedLosses(newCudaEngine);
    EXPECT_THAT(testing::violations(), IsEmpty());
    EXPECT_THAT(found, ::testing::Pointwise(::testing::DoubleNear(1e-4), trainedLosses(makeCpuEngine)));
    Workload measured = smallRun(2);
    measured.aggregation = 2;
    EXPECT_NEAR(found.back(), traceOf(measured, makeCpuEngine).losses.front(), 1e-4);
}

TEST(EngineOnPlayedGpu, AGraphThatForgetsThePrioritiesOfItsStreamsIsFound)
{
    testing::newPlayedGpu(Order::OthersLate);
    const Stream step;
    const Stream side(Stream::Priority::High);
    const Event begun;
    const Event done;
    QUADRIC_CHECKED(cudaStreamBeginCapture(step.get(), cudaStreamCaptureModeThreadLocal));
    step.mark(begun);
    side.waitFor(begun);
    side.mark(done);
    step.waitFor(done);
    cudaGraph_t graph = nullptr;
    QUADRIC_CHECKED(cudaStreamEndCapture(step.get(), &graph));
    cudaGraphExec_t executable = nullptr;
    QUADRIC_CHECKED(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagUseNodePriority));
    EXPECT_THAT(testing::violations(), IsEmpty());
    cudaGraphExecDestroy(executable);
    QUADRIC_CHECKED(cudaGraphInstantiate(&executable, graph, 0));
    EXPECT_THAT(testing::violations(),
                ElementsAre("a graph of streams with several priorities forgets them"));
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

/// NCCL takes its memory with the first message, at the edge of what is left.
TEST(EngineOnPlayedGpu, MemoryThatNcclDoesNotGetIsOutOfMemoryBeforeTheFirstStep)
{
    testing::newPlayedGpu(Order::OthersLate);
    testing::denyMemoryToNccl();
    std::vector<std::string> kinds(2);
    testing::asRanks(2, [&](Collective& collective) {
        try {
            newCudaEngine(smallRun(2), collective);
        } catch (const Failure& failure) {
            kinds[static_cast<std::size_t>(collective.rank())] = failure.kind();
        }
    });
    EXPECT_THAT(kinds, ElementsAre(kOutOfMemory, kOutOfMemory));
}

TEST(EngineOnPlayedGpu, TheMemoryThatNcclTookIsRecorded)
{
    testing::newPlayedGpu(Order::OthersLate);
    std::vector<std::optional<double>> found(2);
    testing::asRanks(2, [&](Collective& collective) {
        found[static_cast<std::size_t>(collective.rank())] =
            newCudaEngine(smallRun(2), collective)->facts().exchangeMemoryMib;
    });
    EXPECT_THAT(testing::violations(), IsEmpty());
    for (const std::optional<double>& mib : found)
        EXPECT_TRUE(mib && *mib >= 0.0);
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

/// An abort drops what other ranks may still wait for.
TEST(EngineOnPlayedGpu, RanksThatAreDoneLeaveNcclInOrder)
{
    testing::newPlayedGpu(Order::OthersLate);
    std::vector<std::vector<std::string>> ends(2);
    testing::asRanks(2, [&](Collective& collective) {
        std::unique_ptr<Engine> engine = newCudaEngine(smallRun(2), collective);
        for (int i = 0; i < kSteps; ++i)
            engine->step(Peers::Exchange);
        testing::endOfExchange().clear();
        engine.reset();
        ends[static_cast<std::size_t>(collective.rank())] = testing::endOfExchange();
    });
    for (const std::vector<std::string>& end : ends) {
        ASSERT_GE(end.size(), 2U);
        EXPECT_THAT(std::vector(end.begin(), end.begin() + 2),
                    ElementsAre("graph destroyed", "communicator finalized"));
        EXPECT_THAT(end, ::testing::Not(::testing::Contains("communicator aborted")));
    }
    EXPECT_THAT(testing::violations(), IsEmpty());
}

/// Whoever fails does not wait for others, which may not know it yet.
TEST(EngineOnPlayedGpu, ARankThatFailsAbortsNccl)
{
    testing::newPlayedGpu(Order::OthersLate);
    std::vector<std::vector<std::string>> ends(2);
    testing::asRanks(2, [&](Collective& collective) {
        try {
            const std::unique_ptr<Engine> engine = newCudaEngine(smallRun(2), collective);
            testing::endOfExchange().clear();
            throw Failure(kInternal, "the parameters of the ranks are no longer equal");
        } catch (const Failure&) {
            ends[static_cast<std::size_t>(collective.rank())] = testing::endOfExchange();
        }
    });
    for (const std::vector<std::string>& end : ends)
        EXPECT_THAT(end, ::testing::Contains("communicator aborted"));
}

} // namespace
} // namespace quadric::trainer::cuda
