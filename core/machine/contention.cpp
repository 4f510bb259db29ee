// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/contention.h"

#include "core/machine/processor.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <sys/resource.h>

namespace quadric::machine {

namespace {

constexpr double kPercent = 100.0;
constexpr double kNoticeablePct = 2.0; ///< of foreign load, below which switches are our own doing

std::string wholeText(double value)
{
    return std::to_string(std::lround(value));
}

constexpr double kTimeSliceSeconds = 0.004;

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

} // namespace

double percentOf(double part, double whole)
{
    return whole > 0.0 ? std::clamp(kPercent * part / whole, 0.0, kPercent) : 0.0;
}

CpuShares computeCpuShares(const CpuTimes& passed, double ownSeconds)
{
    return {.busyPct = percentOf(passed.busySeconds, passed.totalSeconds),
            .foreignPct = percentOf(passed.busySeconds - ownSeconds, passed.totalSeconds),
            .stealPct = percentOf(passed.stealSeconds, passed.totalSeconds)};
}

std::string whyProcessorsDisturb(const CpuShares& shares, const std::string& place)
{
    if (shares.foreignPct > kDisturbedPct)
        return "other processes used " + wholeText(shares.foreignPct) + " % of " + place;
    if (shares.stealPct > kDisturbedPct)
        return "the host took " + wholeText(shares.stealPct) + " % of " + place;
    if (shares.preemptedPct > kDisturbedPct && shares.foreignPct > kNoticeablePct)
        return "other processes displaced the ranks for about " + wholeText(shares.preemptedPct) +
               " % of their time";
    return {};
}

std::string whyClocksDisturb(const std::string& device, const ClockReason& reason, double heldPct)
{
    if (!reason.disturbs || heldPct <= kDisturbedPct)
        return {};
    return device + " was slowed by " + reason.name + " for " + wholeText(heldPct) + " % of the run";
}

void addReason(std::string& all, const std::string& reason)
{
    if (!reason.empty())
        all += (all.empty() ? "" : "; ") + reason;
}

Contention assessContention(const UsageReading& before, const UsageReading& after)
{
    const CpuTimes passed = after.machine - before.machine;
    const double own = after.ownSeconds - before.ownSeconds;
    Contention result;
    result.voluntarySwitches = after.voluntarySwitches - before.voluntarySwitches;
    result.involuntarySwitches = after.involuntarySwitches - before.involuntarySwitches;
    result.shares = computeCpuShares(passed, own);
    // A switch costs a time slice at most; all of them together no more than the others have run.
    const double lost =
        std::min(result.involuntarySwitches * kTimeSliceSeconds, std::max(0.0, passed.busySeconds - own));
    result.shares.preemptedPct = percentOf(lost, own + lost);
    result.reason = whyProcessorsDisturb(result.shares);
    return result;
}

void addClockContention(std::span<const ClockReading> ranks, Contention& contention)
{
    if (std::ranges::none_of(ranks, [](const ClockReading& reading) { return reading.seconds > 0.0; }))
        return;
    for (std::size_t i = 0; i < kClockReasons.size(); ++i) {
        const auto heldPct = [i](const ClockReading& rank) { return percentOf(rank.held[i], rank.seconds); };
        const auto worst = std::ranges::max_element(ranks, {}, heldPct);
        if (*kClockReasons[i].key != '\0')
            contention.gpuClocksHeldPct[kClockReasons[i].key] = heldPct(*worst);
        const std::string gpu = "the GPU of rank " + std::to_string(worst - ranks.begin());
        addReason(contention.reason, whyClocksDisturb(gpu, kClockReasons[i], heldPct(*worst)));
    }
}

UsageReading readUsage()
{
    UsageReading reading;
    reading.machine = readCpuTimes("/", allowedCpus()).value_or(CpuTimes{});
    rusage own{};
    getrusage(RUSAGE_SELF, &own);
    reading.ownSeconds = seconds(own.ru_utime) + seconds(own.ru_stime);
    reading.voluntarySwitches = static_cast<double>(own.ru_nvcsw);
    reading.involuntarySwitches = static_cast<double>(own.ru_nivcsw);
    return reading;
}

double foreignLoadPct(std::chrono::milliseconds duration)
{
    const UsageReading before = readUsage();
    std::this_thread::sleep_for(duration);
    return assessContention(before, readUsage()).shares.foreignPct;
}

} // namespace quadric::machine
