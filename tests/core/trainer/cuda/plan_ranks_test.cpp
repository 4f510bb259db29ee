// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that carry the GPU's plan out on the processor and exchange by its buckets, against the CPU engine.
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/cpu/sgd.h"
#include "core/trainer/exchange/bucket_exchange.h"
#include "core/trainer/workload/synthetic.h"

#include "../rank_threads.h"
#include "plan_interpreter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

namespace quadric::trainer::cuda {
namespace {

constexpr int kRanks = 2;
constexpr int kSteps = 5;

struct Trace {
    std::vector<double> losses;
    std::vector<double> bytes;
};

Workload compressedRun(double percent, CompressionMethod method)
{
    Workload workload;
    workload.ranks = kRanks;
    workload.network = "resnet8";
    workload.imageSize = 13;
    workload.batchPerRank = 4;
    workload.bucketMib = 0.05;
    workload.exchange.compressionPct = percent;
    workload.exchange.method = method;
    return workload;
}

/// One rank of a GPU run without its kernels: the plan, the exchange of the processor, the update.
class PlannedRank {
public:
    PlannedRank(const Workload& workload, Collective& collective)
        : m_workload(workload)
        , m_collective(collective)
        , m_plan(planStep(*makeNetwork(workload.network),
                          {{3, workload.imageSize, workload.imageSize}, workload.batchPerRank},
                          static_cast<std::size_t>(workload.bucketMib * 1024.0 * 1024.0)))
        , m_interpreter(m_plan)
        , m_exchange(makeBucketExchange(collective, workload.exchange, m_plan.parameterCount()))
        , m_values(firstParameters(m_plan.parameters, static_cast<std::uint64_t>(workload.seed)))
        , m_velocity(m_plan.parameterCount(), 0.0F)
        , m_batch(makeSyntheticBatch(m_plan.shape.image, workload.batchPerRank, m_plan.classes,
                                     static_cast<std::uint64_t>(workload.seed) * 1000003ULL + 1 +
                                         static_cast<std::uint64_t>(collective.rank())))
    {
    }

    double step()
    {
        for (std::size_t i = 0; i < m_values.size(); ++i)
            m_interpreter.setValue(i, m_values[i]);
        const double loss = m_interpreter.forward(m_batch.images, m_batch.labels);
        m_interpreter.backward();
        update(summedGradients());
        return loss;
    }

private:
    std::vector<float> summedGradients()
    {
        std::vector<float> arena(m_plan.parameterCount(), 0.0F);
        for (std::size_t i = 0; i < m_values.size(); ++i)
            std::ranges::copy(m_interpreter.gradient(i), arena.begin() + offsetOf(i));
        for (const Bucket& bucket : m_plan.buckets)
            m_exchange->sum(arena, bucket);
        return arena;
    }
    void update(const std::vector<float>& gradients)
    {
        const SgdOptions options{static_cast<float>(m_workload.learningRate),
                                 static_cast<float>(m_workload.momentum),
                                 1.0F / static_cast<float>(m_collective.size())};
        for (std::size_t i = 0; i < m_values.size(); ++i)
            sgdStep(m_values[i], std::span(gradients).subspan(m_plan.spans[i].offset, m_values[i].size()),
                    std::span(m_velocity).subspan(m_plan.spans[i].offset, m_values[i].size()), options);
    }
    std::ptrdiff_t offsetOf(std::size_t parameter) const
    {
        return static_cast<std::ptrdiff_t>(m_plan.spans[parameter].offset);
    }

    Workload m_workload;
    Collective& m_collective;
    StepPlan m_plan;
    testing::PlanInterpreter m_interpreter;
    std::unique_ptr<BucketExchange> m_exchange;
    std::vector<std::vector<float>> m_values;
    std::vector<float> m_velocity;
    SyntheticBatch m_batch;
};

/// Losses of rank 0, and the bytes that it sent.
template <typename Step> Trace traceOf(Collective& collective, const Step& step)
{
    Trace trace;
    for (int i = 0; i < kSteps; ++i) {
        const std::uint64_t before = collective.bytesSent();
        trace.losses.push_back(step());
        trace.bytes.push_back(static_cast<double>(collective.bytesSent() - before));
    }
    return trace;
}

Trace planned(const Workload& workload)
{
    Trace trace;
    testing::asRanks(kRanks, [&](Collective& collective) {
        PlannedRank rank(workload, collective);
        Trace mine = traceOf(collective, [&] { return rank.step(); });
        if (collective.rank() == 0)
            trace = std::move(mine);
    });
    return trace;
}

Trace computed(const Workload& workload)
{
    Trace trace;
    testing::asRanks(kRanks, [&](Collective& collective) {
        const std::unique_ptr<Engine> engine = makeCpuEngine(workload, collective);
        Trace mine = traceOf(collective, [&] { return engine->step(Peers::Exchange).loss; });
        if (collective.rank() == 0)
            trace = std::move(mine);
    });
    return trace;
}

TEST(PlannedRanks, TopkSendsAsManyGradientsAsTheProcessorAndGivesItsLosses)
{
    for (const double percent : {90.0, 99.0}) {
        const Workload workload = compressedRun(percent, CompressionMethod::Topk);
        const Trace gpu = planned(workload);
        const Trace cpu = computed(workload);
        EXPECT_EQ(gpu.bytes, cpu.bytes) << percent;
        for (std::size_t step = 0; step < gpu.losses.size(); ++step)
            EXPECT_NEAR(gpu.losses[step], cpu.losses[step], 2e-6 * cpu.losses[0])
                << percent << " %, step " << step;
    }
}

} // namespace
} // namespace quadric::trainer::cuda
