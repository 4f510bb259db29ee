// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/cuda_engine.h"

#include "core/machine/gpu.h"
#include "core/trainer/base/hash.h"
#include "core/trainer/cuda/communicator.h"
#include "core/trainer/cuda/cuda_network.h"
#include "core/trainer/cuda/gpu_exchange.h"
#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/cuda/stream.h"
#include "core/trainer/workload/training_batches.h"

#include <algorithm>
#include <chrono>

namespace quadric::trainer::cuda {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMib = 1024.0 * 1024.0;
/// One goes call by call and loads kernels, one is recorded as a graph, one launches it the second time.
constexpr std::size_t kPreparingSteps = 3;

/// Before any rank takes memory: they may share the GPU.
std::size_t freeBeforeAll(Collective& collective)
{
    const std::size_t free = freeBytes();
    gatherNumbers(collective, 0);
    return free;
}

StepPlan planOf(const Workload& workload)
{
    const std::optional<Network> network = makeNetwork(workload.network);
    if (!network)
        throw Failure(kBadSettings, "network: unknown name \"" + workload.network + '"');
    return planStep(*network,
                    {{3, workload.imageSize, workload.imageSize}, workload.batchPerRank, workload.precision},
                    static_cast<std::size_t>(workload.bucketMib * kMib));
}

void describePlans(const PlanRecord& plans, EngineFacts& facts)
{
    facts.plans = plans;
    if (!plans.areEqualOnAllRanks)
        facts.warnings.emplace_back("the ranks compute with different plans of cuDNN: their GPUs, drivers or "
                                    "libraries differ");
}

class CudaEngine final : public Engine {
public:
    CudaEngine(const Workload& workload, Collective& collective)
        : m_workload(workload)
        , m_collective(collective)
        , m_device(takeDevice(collective))
        , m_freeAtFirst(freeBeforeAll(collective))
        , m_network(planOf(workload), m_stream, collective, m_nvml.driver())
        , m_velocity(m_network.plan().parameterCount() * sizeof(float))
        , m_loss(sizeof(float))
        , m_exchange(collective.size() > 1 ? makeExchange() : nullptr)
    {
        useTrainingBatches(false);
        reset();
    }

    EngineFacts facts() const override;
    void reset() override;
    void useTrainingBatches(bool areUsed) override;
    StepReport step(Peers peers) override;
    std::uint64_t parameterHash() override;
    double peakMemoryMib() const override
    {
        const std::size_t taken = m_freeAtFirst - std::min(m_freeAtFirst, freeBytes());
        return static_cast<double>(taken) / m_device.ranksOnIt / kMib;
    }
    std::optional<double> energyJoules() const override
    {
        return m_device.anyIsShared || m_device.isPart ? std::nullopt : m_nvml.energyJoules(m_device.pciId);
    }

    machine::ClockReading clocks() const override
    {
        return m_nvml.clocks(m_device.pciId).value_or(machine::ClockReading{});
    }

private:
    std::unique_ptr<GpuExchange> makeExchange();
    void describeExchange(EngineFacts& facts) const;
    void take(const SyntheticBatch& batch) { m_network.setBatch(batch.images, batch.labels); }
    void takeTrainingBatch();
    void waitForAll();
    void computeEarlierMicroBatches();
    void enqueueLastMicroBatch(bool exchanges);
    void enqueueUpdate(bool exchanges);

    Workload m_workload;
    Collective& m_collective;
    RankDevice m_device;
    std::size_t m_freeAtFirst;
    machine::Nvml m_nvml;
    Stream m_stream;
    CudaNetwork m_network;
    DeviceMemory m_velocity;
    PinnedMemory m_loss;
    std::unique_ptr<GpuExchange> m_exchange; ///< null for a single rank
    Event m_computed;                        ///< the backward pass is over
    Event m_summed;                          ///< the gradients of all ranks are summed
    std::optional<TrainingBatches> m_training;
    RecordedWork m_microBatch, m_alone, m_together;
};

std::unique_ptr<GpuExchange> CudaEngine::makeExchange()
{
    const GpuGradients gradients{m_network.gradients(), m_network.plan().parameterCount(),
                                 m_network.plan().buckets};
    if (m_device.anyIsShared)
        return makeHostExchange(m_collective, m_workload.exchange, gradients, m_stream);
    return makeNcclExchange(m_collective, m_workload.exchange, gradients, m_stream, m_workload.overlap);
}

EngineFacts CudaEngine::facts() const
{
    EngineFacts facts;
    facts.name = "cuda";
    facts.device = m_device.name + ", PCI " + m_device.pciId;
    facts.compute = libraryVersions();
    facts.collectives = m_exchange ? m_exchange->library() : ncclVersionText();
    if (m_device.anyIsShared)
        facts.warnings.emplace_back("ranks share a GPU: this shows that the run works, not how fast it is");
    Hash layout;
    for (const ArenaSpan& span : m_network.plan().spans)
        layout.add(std::uint64_t{span.offset});
    facts.layoutHash = layout.value();
    facts.gradientBytes = static_cast<std::int64_t>(m_velocity.bytes());
    facts.buckets = m_network.plan().buckets.size();
    facts.preparingSteps = kPreparingSteps;
    describePlans(m_network.planRecord(), facts);
    if (m_exchange)
        describeExchange(facts);
    if (m_device.anyIsShared)
        facts.whyNoEnergy = "ranks share a GPU, and its counter does not separate them";
    else if (m_device.isPart)
        facts.whyNoEnergy = "this is a part of a GPU (MIG), and its counter is of the whole GPU";
    else if (!energyJoules())
        facts.whyNoEnergy = "this GPU or its driver has no counter of energy";
    return facts;
}

void CudaEngine::describeExchange(EngineFacts& facts) const
{
    const NcclPaths paths = m_exchange->paths();
    facts.exchangeMemoryMib = m_exchange->libraryMemoryMib();
    facts.exchangePaths = paths.words();
    if (paths.leavesGpus() && m_device.ranksOnHost == m_collective.size())
        facts.warnings.push_back("GPUs of one host exchange through its memory or a network (" +
                                 paths.words() + "), not directly over NVLink or PCIe");
}

void CudaEngine::reset()
{
    const auto values =
        firstParameters(m_network.plan().parameters, static_cast<std::uint64_t>(m_workload.seed));
    for (std::size_t i = 0; i < values.size(); ++i)
        m_network.setValue(i, values[i]);
    m_network.finishValues();
    QUADRIC_CHECKED(cudaMemset(m_velocity.data(), 0, m_velocity.bytes()));
    QUADRIC_CHECKED(cudaDeviceSynchronize());
    if (m_exchange)
        m_exchange->reset();
}

void CudaEngine::useTrainingBatches(bool areUsed)
{
    m_training.reset();
    if (areUsed)
        m_training.emplace(m_workload, m_network.plan().classes, m_collective.rank());
    else
        take(measuredBatch(m_workload, m_network.plan().classes, m_collective.rank()));
}

/// Copies go by themselves: what reads the batch before must be done.
void CudaEngine::takeTrainingBatch()
{
    if (!m_training)
        return;
    m_stream.wait();
    take(m_training->next());
}

StepReport CudaEngine::step(Peers peers)
{
    const Clock::time_point begin = Clock::now();
    const bool exchanges = peers == Peers::Exchange && m_exchange != nullptr;
    computeEarlierMicroBatches();
    takeTrainingBatch();
    RecordedWork& last = exchanges ? m_together : m_alone;
    last.run(m_stream, !exchanges || m_exchange->canBeCaptured(), [&] { enqueueLastMicroBatch(exchanges); });
    if (exchanges)
        waitForAll();
    else
        m_stream.wait();
    StepReport report;
    report.loss = static_cast<double>(*m_loss.as<float>()) / m_workload.aggregation;
    if (exchanges) {
        report.exposedMs = millisecondsBetween(m_computed, m_summed);
        report.bytesSent = m_exchange->bytesOfStep();
        report.selectionMs = m_exchange->selectionMsOfStep();
    }
    report.stepMs = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    return report;
}

void CudaEngine::waitForAll()
{
    try {
        m_exchange->wait();
    } catch (const Failure&) {
        m_together = RecordedWork(); // its graph holds on to the exchange
        m_exchange->abandon();
        throw;
    }
}

/// Gradients and loss of several micro-batches are added up from zero.
void CudaEngine::computeEarlierMicroBatches()
{
    if (m_workload.aggregation == 1)
        return;
    const std::size_t bytes = m_network.plan().parameterCount() * sizeof(float);
    QUADRIC_CHECKED(cudaMemsetAsync(m_network.gradients(), 0, bytes, m_stream.get()));
    QUADRIC_CHECKED(cudaMemsetAsync(m_network.loss(), 0, sizeof(float), m_stream.get()));
    for (int micro = 1; micro < m_workload.aggregation; ++micro) {
        takeTrainingBatch();
        m_microBatch.run(m_stream, true, [&] {
            m_network.forward(true);
            m_network.backward(true);
        });
    }
}

void CudaEngine::enqueueLastMicroBatch(bool exchanges)
{
    const bool accumulates = m_workload.aggregation > 1;
    m_network.forward(accumulates);
    m_network.backward(accumulates, [&](std::size_t bucket) {
        if (exchanges)
            m_exchange->bucketIsQueued(bucket);
    });
    m_stream.note(m_computed);
    if (exchanges)
        m_exchange->finish();
    m_stream.note(m_summed);
    enqueueUpdate(exchanges);
}

void CudaEngine::enqueueUpdate(bool exchanges)
{
    const bool isScaled = m_workload.precision == Precision::Fp16;
    const int ranks = exchanges ? m_collective.size() : 1;
    const std::size_t count = m_network.plan().parameterCount();
    if (isScaled)
        findOverflow(m_network.gradients(), count, m_network.lossScale(), m_stream.get());
    SgdArguments arguments;
    arguments.values = m_network.values();
    arguments.velocity = m_velocity.as<float>();
    arguments.gradients = m_network.gradients();
    arguments.rounded = m_network.rounded();
    arguments.count = count;
    arguments.learningRate = static_cast<float>(m_workload.learningRate);
    arguments.momentum = static_cast<float>(m_workload.momentum);
    arguments.gradientScale = 1.0F / static_cast<float>(ranks * m_workload.aggregation);
    sgdUpdate(m_workload.precision, arguments, m_network.lossScale(), m_stream.get());
    if (isScaled)
        advanceLossScale(m_network.lossScale(), m_stream.get());
    QUADRIC_CHECKED(cudaMemcpyAsync(m_loss.as<float>(), m_network.loss(), sizeof(float),
                                    cudaMemcpyDeviceToHost, m_stream.get()));
}

std::uint64_t CudaEngine::parameterHash()
{
    std::vector<float> values(m_network.plan().parameterCount());
    QUADRIC_CHECKED(
        cudaMemcpy(values.data(), m_network.values(), values.size() * sizeof(float), cudaMemcpyDeviceToHost));
    Hash hash;
    hash.add(std::span<const float>(values));
    return hash.value();
}

std::string twoParts(int major, int minor)
{
    return std::to_string(major) + '.' + std::to_string(minor);
}

} // namespace

std::unique_ptr<Engine> newCudaEngine(const Workload& workload, Collective& collective)
{
    try {
        return std::make_unique<CudaEngine>(workload, collective);
    } catch (const std::bad_alloc&) {
        throw Failure(kOutOfMemory, "the training step does not fit into memory");
    }
}

std::string libraryVersions()
{
    int runtime = 0;
    QUADRIC_CHECKED(cudaRuntimeGetVersion(&runtime));
    const auto cudnn = static_cast<int>(cudnnGetVersion());
    return "CUDA " + twoParts(runtime / 1000, runtime % 1000 / 10) + ", cuDNN " +
           twoParts(cudnn / 10000, cudnn / 100 % 100) + '.' + std::to_string(cudnn % 100) + ", " +
           ncclVersionText();
}

} // namespace quadric::trainer::cuda
