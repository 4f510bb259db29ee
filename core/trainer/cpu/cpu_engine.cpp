// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/proc.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/base/hash.h"
#include "core/trainer/base/number_format.h"
#include "core/trainer/cpu/cpu_network.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/cpu/dnnl_interface.h"
#include "core/trainer/cpu/sgd.h"
#include "core/trainer/exchange/bucket_exchange.h"
#include "core/trainer/exchange/collective.h"
#include "core/trainer/exchange/engine.h"
#include "core/trainer/workload/training_batches.h"

#include <omp.h>

#include <algorithm>
#include <chrono>

namespace quadric::trainer {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsBetween(Clock::time_point begin, Clock::time_point end)
{
    return std::chrono::duration<double, std::milli>(end - begin).count();
}

class CpuEngine final : public Engine {
public:
    CpuEngine(const Workload& workload, Collective& collective, const Network& network)
        : m_workload(workload)
        , m_collective(collective)
        , m_classes(network.classes)
        , m_network(network, {imageShape(workload), workload.batchPerRank, workload.precision})
        , m_buckets(makeBuckets(m_network.spans(), countsOf(m_network.parameters()),
                                static_cast<std::size_t>(workload.bucketMib * double{kMib})))
        , m_velocity(m_network.values().size(), 0.0F)
        , m_earlier(workload.aggregation > 1 ? m_velocity.size() : 0, 0.0F)
        , m_link(workload.link.isEmulated() ? makeEmulatedLink(collective, workload.link) : nullptr)
        , m_exchange(makeBucketExchange(m_link ? *m_link : collective, exchangeOptions(workload, collective),
                                        m_velocity.size()))
        , m_reducer(*m_exchange, m_network.gradients(), m_buckets, workload.overlap && collective.size() > 1)
    {
        useTrainingBatches(false);
        reset();
    }

    EngineFacts facts() const override
    {
        EngineFacts facts;
        facts.name = "cpu";
        facts.compute = readCpuSupport().library;
        facts.collectives = collectiveLibrary();
        facts.warnings = m_network.warnings();
        facts.layoutHash = m_network.layoutHash();
        facts.gradientBytes = static_cast<std::int64_t>(m_velocity.size() * sizeof(float));
        facts.buckets = m_buckets.size();
        return facts;
    }

    void reset() override
    {
        initialize(m_network, static_cast<std::uint64_t>(m_workload.seed));
        std::ranges::fill(m_velocity, 0.0F);
        m_exchange->reset();
    }

    void useTrainingBatches(bool areUsed) override
    {
        m_training.reset();
        if (areUsed)
            m_training.emplace(m_workload, m_classes, m_collective.rank());
        else
            take(measuredBatch(m_workload, m_classes, m_collective.rank()));
    }

    StepReport step(Peers peers) override
    {
        const Clock::time_point begin = Clock::now();
        const std::uint64_t bytesBefore = m_collective.bytesSent();
        const double selectionBefore = m_exchange->selectionSeconds();
        StepReport report;
        report.loss = computeGradients(peers);
        if (peers == Peers::Exchange && m_collective.size() > 1)
            finishExchange(report, bytesBefore, selectionBefore);
        update(peers);
        report.stepMs = millisecondsBetween(begin, Clock::now());
        return report;
    }

    std::uint64_t parameterHash() override
    {
        Hash hash;
        hash.add(m_network.values());
        return hash.value();
    }

    double peakMemoryMib() const override { return machine::peakMemoryMib(); }

private:
    /// One rank exchanges nothing and needs no residual.
    static ExchangeOptions exchangeOptions(const Workload& workload, const Collective& collective)
    {
        return collective.size() > 1 ? workload.exchange : ExchangeOptions{};
    }
    static Shape imageShape(const Workload& workload) { return {3, workload.imageSize, workload.imageSize}; }

    void take(const SyntheticBatch& batch) { m_network.setBatch(batch.images, batch.labels); }

    double forward()
    {
        if (m_training)
            take(m_training->next());
        return m_network.forward();
    }

    double computeGradients(Peers peers)
    {
        double loss = 0.0;
        if (!m_earlier.empty())
            std::ranges::fill(m_earlier, 0.0F);
        for (int micro = 1; micro < m_workload.aggregation; ++micro) {
            loss += forward();
            m_network.backward();
            accumulate(m_earlier, m_network.gradients());
        }
        loss += forward();
        std::size_t added = m_network.gradients().size();
        m_network.backward([&](std::size_t offset) {
            addEarlierMicroBatches(offset, added);
            if (peers == Peers::Exchange)
                m_reducer.finalFrom(offset);
        });
        return loss / m_workload.aggregation;
    }

    void addEarlierMicroBatches(std::size_t from, std::size_t& until)
    {
        if (!m_earlier.empty() && from < until) {
            const std::size_t count = until - from;
            accumulate(m_network.gradients().subspan(from, count), std::span(m_earlier).subspan(from, count));
        }
        until = std::min(until, from);
    }

    void finishExchange(StepReport& report, std::uint64_t bytesBefore, double selectionBefore)
    {
        const Clock::time_point computed = Clock::now();
        m_reducer.finish();
        report.exposedMs = millisecondsBetween(computed, Clock::now());
        report.bytesSent = static_cast<double>(m_collective.bytesSent() - bytesBefore);
        report.selectionMs = 1000.0 * (m_exchange->selectionSeconds() - selectionBefore);
    }

    void update(Peers peers)
    {
        const int ranks = peers == Peers::Exchange ? m_collective.size() : 1;
        const SgdOptions options{static_cast<float>(m_workload.learningRate),
                                 static_cast<float>(m_workload.momentum),
                                 1.0F / static_cast<float>(ranks * m_workload.aggregation)};
        sgdStep(m_network.values(), m_network.gradients(), m_velocity, options);
    }

    Workload m_workload;
    Collective& m_collective;
    int m_classes;
    CpuNetwork m_network;
    std::vector<Bucket> m_buckets;
    std::vector<float> m_velocity;
    std::vector<float> m_earlier;       ///< sum of the gradients of the micro-batches before the last
    std::unique_ptr<Collective> m_link; ///< null where the real network is used as it is
    std::unique_ptr<BucketExchange> m_exchange;
    GradientReducer m_reducer;
    std::optional<TrainingBatches> m_training;
};

} // namespace

std::unique_ptr<Engine> makeCpuEngine(const Workload& workload, Collective& collective)
{
    const std::optional<Network> network = makeNetwork(workload.network);
    if (!network)
        throw Failure(kBadSettings, "network: unknown name \"" + workload.network + '"');
    omp_set_num_threads(workload.threadsPerRank);
    try {
        return std::make_unique<CpuEngine>(workload, collective, *network);
    } catch (const std::bad_alloc&) {
        throw Failure(kOutOfMemory, "the training step does not fit into memory");
    } catch (const dnnl::error& error) {
        if (error.status == dnnl_out_of_memory)
            throw Failure(kOutOfMemory, "the training step does not fit into memory");
        throw Failure(kInternal, std::string("oneDNN: ") + error.what());
    }
}

CpuSupport readCpuSupport()
{
    return {
        "oneDNN " + onednn::version() + " (" + onednn::instructionSet() + ")", onednn::computesBf16(), {}};
}

} // namespace quadric::trainer
