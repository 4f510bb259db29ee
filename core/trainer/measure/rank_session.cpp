// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/rank_session.h"

#include "core/machine/proc.h"
#include "core/machine/processor.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/base/hash.h"
#include "core/trainer/base/protocol.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/gpu/cuda_support.h"
#include "core/trainer/measure/validation.h"
#include "core/trainer/workload/training_batches.h"

#include <algorithm>
#include <array>
#include <map>

namespace quadric::trainer {

namespace {

/// The engine that the workload asks for. Throws Failure (bad-settings, out-of-memory, internal).
std::unique_ptr<Engine> makeEngine(const Workload& workload, Collective& collective)
{
    switch (workload.engine) {
    case EngineKind::Cpu:
        return makeCpuEngine(workload, collective);
    case EngineKind::Cuda:
        return cuda::makeCudaEngine(workload, collective);
    case EngineKind::Simulated:
    case EngineKind::Automatic:
        break;
    }
    throw Failure(kInternal, "this engine does not compute steps");
}

void addOwn(machine::UsageReading& sum, const machine::UsageReading& rank)
{
    sum.ownSeconds += rank.ownSeconds;
    sum.voluntarySwitches += rank.voluntarySwitches;
    sum.involuntarySwitches += rank.involuntarySwitches;
}

/// By place, the load of the processors as its first rank read it and the sums over its ranks.
std::map<std::uint64_t, RankUsage> byPlace(std::span<const RankUsage> ranks)
{
    std::map<std::uint64_t, RankUsage> places;
    for (const RankUsage& rank : ranks) {
        const auto [place, isFirst] = places.emplace(rank.place, rank);
        if (isFirst)
            continue;
        addOwn(place->second.before, rank.before);
        addOwn(place->second.after, rank.after);
    }
    return places;
}

/// A rank that computes on a GPU needs a part of one processor: others that use the rest take nothing from
/// it.
std::string whyRanksLostTime(machine::CpuShares shares)
{
    shares.foreignPct = std::min(shares.foreignPct, machine::kDisturbedPct);
    return machine::whyProcessorsDisturb(shares);
}

bool isWorse(const machine::Contention& one, const machine::Contention& other)
{
    if (one.reason.empty() != other.reason.empty())
        return !one.reason.empty();
    return one.shares.foreignPct > other.shares.foreignPct;
}

constexpr double kWarmupShare = 0.3;     ///< of a stage, at most
constexpr double kReserveSeconds = 0.15; ///< for the result and the end of the processes
constexpr double kShortestStage = 0.1;
constexpr std::chrono::milliseconds kSampleGap{50}; ///< at most 20 samples a second
constexpr std::chrono::milliseconds kProgressGap{200};

double secondsSince(RankSession::Clock::time_point begin)
{
    return std::chrono::duration<double>(RankSession::Clock::now() - begin).count();
}

/// Sends what rank 0 decided to all ranks.
struct Decision {
    StageCommand command = StageCommand::Continue;
    int steps = 1;
};

Decision share(Collective& collective, const Decision& mine)
{
    std::array<double, 2> message{};
    if (collective.rank() == 0)
        message = {static_cast<double>(mine.command), static_cast<double>(mine.steps)};
    collective.sum(std::span<double>(message));
    return {static_cast<StageCommand>(static_cast<int>(message[0])), static_cast<int>(message[1])};
}

/// Whether all ranks hold the same 64 bits.
bool isEqualOnAll(Collective& collective, std::uint64_t bits)
{
    const auto low = static_cast<double>(bits & 0xffffffffU);
    const auto high = static_cast<double>(bits >> 32);
    std::array<double, 2> sums = {low, high}; // exact: both halves are whole numbers below 2^32
    collective.sum(std::span<double>(sums));
    const double ranks = collective.size();
    return sums[0] == ranks * low && sums[1] == ranks * high;
}

void waitForAll(Collective& collective)
{
    double nothing = 0.0;
    collective.sum(std::span<double>(&nothing, 1));
}

/// The place of this process.
std::uint64_t processorPlace()
{
    Hash hash;
    hash.add(machine::readHostName() + ' ' + machine::cpuListText(machine::allowedCpus()));
    return hash.value();
}

} // namespace

machine::Contention assessRankContention(std::span<const RankUsage> ranks, bool computesOnGpus)
{
    machine::Contention worst;
    double voluntary = 0.0, involuntary = 0.0;
    bool isFirst = true;
    for (const auto& [place, usage] : byPlace(ranks)) {
        machine::Contention found = machine::assessContention(usage.before, usage.after);
        if (computesOnGpus)
            found.reason = whyRanksLostTime(found.shares);
        voluntary += found.voluntarySwitches;
        involuntary += found.involuntarySwitches;
        if (isFirst || isWorse(found, worst))
            worst = found;
        isFirst = false;
    }
    worst.voluntarySwitches = voluntary;
    worst.involuntarySwitches = involuntary;
    return worst;
}

RankSession::RankSession(const Workload& workload, Collective& collective, Clock::time_point started,
                         Report report)
    : m_workload(workload)
    , m_collective(collective)
    , m_started(started)
    , m_report(std::move(report))
{
    m_setUpSeconds = age();
}

void RankSession::run()
{
    RunRecord record;
    record.workload = m_workload;
    if (m_workload.measuresBaseline())
        measureBaseline(record);
    makeEngine(record);
    const double trained = m_workload.trainsForLoss ? trainForLoss() : 0.0;
    record.setUpSeconds = m_setUpSeconds;
    record.together = measureTogether();
    checkParameters();

    record.contention = contention();
    std::array<double, 5> sums = {record.together.lastLoss, m_engine->peakMemoryMib(),
                                  m_usedJoules.value_or(0.0), m_usedJoules ? 1.0 : 0.0, trained};
    m_collective.sum(std::span<double>(sums));
    record.meanLoss = sums[0] / m_collective.size();
    if (m_workload.trainsForLoss)
        record.trainedLoss = sums[4] / m_collective.size();
    record.peakMemoryMib = sums[1];
    if (sums[3] == m_collective.size())
        record.joules = sums[2];
    if (leads())
        m_report(resultEvent(record));
}

/// On rank 0 while the others wait, with an engine of its own: strong scaling needs another batch.
void RankSession::measureBaseline(RunRecord& record)
{
    if (leads()) {
        const std::unique_ptr<Collective> alone = makeLocalCollective();
        const Clock::time_point begin = Clock::now();
        const std::unique_ptr<Engine> engine = trainer::makeEngine(makeBaselineWorkload(m_workload), *alone);
        m_setUpSeconds += secondsSince(begin);
        const double remaining = m_workload.maxSeconds - measuringAge() - kReserveSeconds;
        record.baseline = lead(*engine, Peers::Alone,
                               stageRule(kBaselineShare * remaining, engine->facts().preparingSteps));
        const RankUsage mine{processorPlace(), m_before, m_after};
        record.baselineContention =
            assessRankContention(std::span(&mine, 1), m_workload.engine == EngineKind::Cuda);
        machine::addClockContention(std::span(&m_usedClocks, 1), record.baselineContention);
    }
    waitForAll(m_collective);
}

void RankSession::makeEngine(RunRecord& record)
{
    machine::resetPeakMemory();
    const Clock::time_point begin = Clock::now();
    m_engine = trainer::makeEngine(m_workload, m_collective);
    record.engine = m_engine->facts();
    record.memoryEstimateMib = estimateMemoryMib(m_workload).value();
    if (!isEqualOnAll(m_collective, record.engine.layoutHash))
        throw Failure(kInternal,
                      "the ranks lay their gradients out in different ways; their processors differ");
    m_setUpSeconds += secondsSince(begin);
}

/// The loss of this rank after a number of steps that does not depend on their speed. The measurement that
/// follows begins as if nothing had been trained.
double RankSession::trainForLoss()
{
    const Clock::time_point begin = Clock::now();
    double sum = 0.0;
    m_engine->useTrainingBatches(true);
    for (int step = 0; step < kTrainingSteps; ++step) {
        const double loss = m_engine->step(Peers::Exchange).loss;
        sum += step < kTrainingSteps - kTrainingBatches ? 0.0 : loss;
        reportTraining();
    }
    m_engine->useTrainingBatches(false);
    m_engine->reset();
    m_setUpSeconds += secondsSince(begin);
    return sum / kTrainingBatches;
}

void RankSession::checkParameters()
{
    if (!isEqualOnAll(m_collective, m_engine->parameterHash()))
        throw Failure(kInternal,
                      "the parameters of the ranks are no longer equal; the exchange lost something");
}

StageResult RankSession::measureTogether()
{
    if (leads()) {
        StageRule rule = stageRule(secondsTogether(), m_engine->facts().preparingSteps);
        rule.slow = makeSlowStep(m_workload);
        return lead(*m_engine, Peers::Exchange, rule);
    }
    StageMeter meter{StageRule{}};
    for (Decision next; next.command != StageCommand::Stop;) {
        runBlock(*m_engine, meter, next.steps, Peers::Exchange);
        next = share(m_collective, {});
        if (next.command != StageCommand::Continue)
            takeReading(*m_engine, next.command == StageCommand::BeginMeasuring);
    }
    return meter.result();
}

StageResult RankSession::lead(Engine& engine, Peers peers, const StageRule& rule)
{
    StageMeter meter(rule);
    const Clock::time_point begin = Clock::now();
    for (Decision next; next.command != StageCommand::Stop;) {
        runBlock(engine, meter, next.steps, peers);
        next.command = meter.decide(secondsSince(begin));
        next.steps = meter.nextBlock();
        if (peers == Peers::Exchange)
            share(m_collective, next);
        if (next.command != StageCommand::Continue)
            takeReading(engine, next.command == StageCommand::BeginMeasuring);
        reportProgress(meter, peers);
    }
    return meter.result();
}

void RankSession::runBlock(Engine& engine, StageMeter& meter, int steps, Peers peers)
{
    for (int i = 0; i < steps; ++i) {
        const StepReport step = engine.step(peers);
        meter.add(step);
        const Clock::time_point now = Clock::now();
        const bool isShown = leads() && peers == Peers::Exchange && meter.isMeasuring();
        if (isShown && now - m_lastSample >= kSampleGap) {
            m_lastSample = now;
            const double seconds = std::chrono::duration<double>(now - m_started).count();
            m_report(sampleEvent(step.stepMs, m_workload.imagesPerStep(), seconds));
        }
    }
}

void RankSession::takeReading(const Engine& engine, bool first)
{
    (first ? m_before : m_after) = machine::readUsage();
    const std::optional<double> joules = engine.energyJoules();
    if (first)
        m_joulesBefore = joules;
    else
        m_usedJoules = joules && m_joulesBefore ? std::optional(*joules - *m_joulesBefore) : std::nullopt;
    if (first)
        m_clocksBefore = engine.clocks();
    else
        m_usedClocks = engine.clocks() - m_clocksBefore;
}

machine::Contention RankSession::contention()
{
    const RankUsage mine{processorPlace(), m_before, m_after};
    std::vector<RankUsage> ranks(static_cast<std::size_t>(m_collective.size()));
    m_collective.gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(ranks)));
    machine::Contention found = assessRankContention(ranks, m_workload.engine == EngineKind::Cuda);
    std::vector<machine::ClockReading> clocks(static_cast<std::size_t>(m_collective.size()));
    m_collective.gather(std::as_bytes(std::span(&m_usedClocks, 1)),
                        std::as_writable_bytes(std::span(clocks)));
    machine::addClockContention(clocks, found);
    return found;
}

void RankSession::reportProgress(const StageMeter& meter, Peers peers)
{
    if (!isTimeForProgress())
        return;
    m_report(progressEvent(std::min(1.0, measuringAge() / m_workload.maxSeconds),
                           meter.isMeasuring() ? "measure" : "warm-up",
                           peers == Peers::Alone ? "baseline" : "parallel", meter.result().stepsMs.size()));
}

/// Whoever waits for this run sees that it is alive.
void RankSession::reportTraining()
{
    if (isTimeForProgress())
        m_report(progressEvent(0.0, "warm-up", "parallel", 0));
}

bool RankSession::isTimeForProgress()
{
    const Clock::time_point now = Clock::now();
    if (!leads() || now - m_lastProgress < kProgressGap)
        return false;
    m_lastProgress = now;
    return true;
}

StageRule RankSession::stageRule(double seconds, std::size_t preparingSteps) const
{
    StageRule rule;
    rule.preparingSteps = preparingSteps;
    rule.secondsLimit = std::max(kShortestStage, seconds);
    rule.relativeHalfWidth = m_workload.intervalPct / 100.0;
    rule.leastSeconds = m_workload.leastSeconds();
    rule.warmupSeconds = std::min(m_workload.warmupSeconds, kWarmupShare * rule.secondsLimit);
    rule.leastWarmupSeconds = std::min(m_workload.leastWarmupSeconds(), rule.warmupSeconds);
    return rule;
}

/// The rest of the time, less the share of a baseline that need not be measured: a limit that is used up
/// gives the ranks the same time in both cases.
double RankSession::secondsTogether() const
{
    const double remaining = m_workload.maxSeconds - measuringAge() - kReserveSeconds;
    return m_workload.usesGivenBaseline() ? (1.0 - kBaselineShare) * remaining : remaining;
}

double RankSession::age() const
{
    return secondsSince(m_started);
}

} // namespace quadric::trainer
