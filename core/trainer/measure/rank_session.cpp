// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/rank_session.h"

#include "core/machine/proc.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/base/protocol.h"
#include "core/trainer/measure/engine_choice.h"
#include "core/trainer/measure/validation.h"

#include <algorithm>
#include <array>

namespace quadric::trainer {

namespace {

constexpr double kWarmupShare = 0.3;     ///< of a stage, at most
constexpr double kReserveSeconds = 0.15; ///< for the result and the end of the processes
constexpr double kShortestStage = 0.1;
constexpr std::chrono::milliseconds kSampleGap{50}; ///< at most 20 samples a second
constexpr std::chrono::milliseconds kProgressGap{200};

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

} // namespace

RankSession::RankSession(const Workload& workload, Collective& collective, Clock::time_point started,
                         Report report)
    : m_workload(workload)
    , m_collective(collective)
    , m_started(started)
    , m_report(std::move(report))
{
}

void RankSession::run()
{
    RunRecord record;
    record.workload = m_workload;
    if (m_workload.measuresBaseline())
        measureBaseline(record);
    makeEngine(record);
    record.together = measureTogether();
    checkParameters();

    record.contention = contention();
    std::array<double, 4> sums = {record.together.lastLoss, m_engine->peakMemoryMib(),
                                  m_usedJoules.value_or(0.0), m_usedJoules ? 1.0 : 0.0};
    m_collective.sum(std::span<double>(sums));
    record.meanLoss = sums[0] / m_collective.size();
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
        const std::unique_ptr<Engine> engine = trainer::makeEngine(baselineOf(m_workload), *alone);
        const double remaining = m_workload.maxSeconds - age() - kReserveSeconds;
        record.baseline = lead(*engine, Peers::Alone, stageOptions(kBaselineShare * remaining));
        record.baselineContention = machine::judgeContention(m_before, m_after);
        machine::judgeClocks(std::span(&m_usedClocks, 1), record.baselineContention);
    }
    waitForAll(m_collective);
}

void RankSession::makeEngine(RunRecord& record)
{
    machine::resetPeakMemory();
    const Clock::time_point begin = Clock::now();
    m_engine = trainer::makeEngine(m_workload, m_collective);
    record.engine = m_engine->facts();
    const std::optional<Network> network = makeNetwork(m_workload.network);
    record.memoryEstimateMib = m_workload.ranks *
                               static_cast<double>(estimateMemory(m_workload, *network).total()) /
                               (1024.0 * 1024.0);
    if (!isEqualOnAll(m_collective, record.engine.layoutHash))
        throw Failure(kInternal,
                      "the ranks lay their gradients out in different ways; their processors differ");
    record.setUpSeconds = std::chrono::duration<double>(Clock::now() - begin).count();
}

void RankSession::checkParameters()
{
    if (!isEqualOnAll(m_collective, m_engine->parameterHash()))
        throw Failure(kInternal,
                      "the parameters of the ranks are no longer equal; the exchange lost something");
}

StageResult RankSession::measureTogether()
{
    if (leads())
        return lead(*m_engine, Peers::Exchange, stageOptions(secondsTogether()));
    StageMeter meter{StageOptions{}};
    for (Decision next; next.command != StageCommand::Stop;) {
        runBlock(*m_engine, meter, next.steps, Peers::Exchange);
        next = share(m_collective, {});
        if (next.command != StageCommand::Continue)
            takeReading(*m_engine, next.command == StageCommand::BeginMeasuring);
    }
    return meter.result();
}

StageResult RankSession::lead(Engine& engine, Peers peers, const StageOptions& options)
{
    StageMeter meter(options);
    const Clock::time_point begin = Clock::now();
    const auto elapsed = [begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    for (Decision next; next.command != StageCommand::Stop;) {
        runBlock(engine, meter, next.steps, peers);
        next.command = meter.decide(elapsed());
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

/// Adds what the ranks used; the readings of the machine stay those of this rank.
machine::Contention RankSession::contention()
{
    for (machine::UsageReading* reading : {&m_before, &m_after}) {
        std::array<double, 3> sums = {reading->ownSeconds, reading->voluntarySwitches,
                                      reading->involuntarySwitches};
        m_collective.sum(std::span<double>(sums));
        reading->ownSeconds = sums[0];
        reading->voluntarySwitches = sums[1];
        reading->involuntarySwitches = sums[2];
    }
    machine::Contention found = machine::judgeContention(m_before, m_after);
    std::vector<machine::ClockReading> clocks(static_cast<std::size_t>(m_collective.size()));
    m_collective.gather(std::as_bytes(std::span(&m_usedClocks, 1)),
                        std::as_writable_bytes(std::span(clocks)));
    machine::judgeClocks(clocks, found);
    return found;
}

void RankSession::reportProgress(const StageMeter& meter, Peers peers)
{
    const Clock::time_point now = Clock::now();
    if (!leads() || now - m_lastProgress < kProgressGap)
        return;
    m_lastProgress = now;
    m_report(progressEvent(std::min(1.0, age() / m_workload.maxSeconds),
                           meter.isMeasuring() ? "measure" : "warm-up",
                           peers == Peers::Alone ? "baseline" : "parallel", meter.result().stepsMs.size()));
}

StageOptions RankSession::stageOptions(double seconds) const
{
    StageOptions options;
    options.stop.secondsLimit = std::max(kShortestStage, seconds);
    options.stop.relativeHalfWidth = m_workload.intervalPct / 100.0;
    options.warmupSeconds = std::min(m_workload.warmupSeconds, kWarmupShare * options.stop.secondsLimit);
    return options;
}

/// The rest of the time, less the share of a baseline that need not be measured: a limit that is used up
/// gives the ranks the same time in both cases.
double RankSession::secondsTogether() const
{
    const double remaining = m_workload.maxSeconds - age() - kReserveSeconds;
    return m_workload.usesGivenBaseline() ? (1.0 - kBaselineShare) * remaining : remaining;
}

double RankSession::age() const
{
    return std::chrono::duration<double>(Clock::now() - m_started).count();
}

} // namespace quadric::trainer
