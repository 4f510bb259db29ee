// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/contention.h"

#include "core/trainer/machine.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <sys/resource.h>
#include <unistd.h>

namespace quadric::trainer {

namespace {

constexpr double kTimeSliceSeconds = 0.004;
constexpr std::size_t kLabelLength = 3; ///< of "cpu" before a number
constexpr double kNoticeablePct = 2.0;  ///< of foreign load, below which switches are our own doing

double percentOf(double part, double whole)
{
    return whole > 0.0 ? std::clamp(100.0 * part / whole, 0.0, 100.0) : 0.0;
}

std::string reasonFor(const Contention& contention)
{
    const auto rounded = [](double value) { return std::to_string(std::lround(value)); };
    if (contention.foreignPct > kDisturbedPct)
        return "other processes used " + rounded(contention.foreignPct) + " % of the machine";
    if (contention.stealPct > kDisturbedPct)
        return "the host took " + rounded(contention.stealPct) + " % of the machine";
    if (contention.preemptedPct > kDisturbedPct && contention.foreignPct > kNoticeablePct)
        return "other processes displaced the ranks for about " + rounded(contention.preemptedPct) +
               " % of their time";
    return {};
}

struct ClockReason {
    const char* name; ///< in the record
    const char* words;
    double ClockReading::*count;
    bool disturbs;
};
constexpr ClockReason kClockReasons[] = {{"heat", "heat", &ClockReading::heat, true},
                                         {"slowdown", "its hardware", &ClockReading::slowdown, true},
                                         {"power_brake", "a power brake", &ClockReading::powerBrake, true},
                                         {"power_limit", "", &ClockReading::powerLimit, false}};

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Adds a line "cpu3 user nice …" of /proc/stat.
void addTimes(const std::string& line, double ticksPerSecond, UsageReading& sum)
{
    std::istringstream text(line);
    std::string label;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, steal = 0;
    if (!(text >> label >> user >> nice >> system >> idle >> waiting >> interrupts >> soft >> steal))
        return;
    const double busy = user + nice + system + interrupts + soft;
    sum.machineBusySeconds += busy / ticksPerSecond;
    sum.machineStealSeconds += steal / ticksPerSecond;
    sum.machineTotalSeconds += (busy + idle + waiting + steal) / ticksPerSecond;
}

} // namespace

Contention judgeContention(const UsageReading& before, const UsageReading& after)
{
    const double total = after.machineTotalSeconds - before.machineTotalSeconds;
    const double own = after.ownSeconds - before.ownSeconds;
    const double busy = after.machineBusySeconds - before.machineBusySeconds;
    Contention result;
    result.voluntarySwitches = after.voluntarySwitches - before.voluntarySwitches;
    result.involuntarySwitches = after.involuntarySwitches - before.involuntarySwitches;
    result.foreignPct = percentOf(busy - own, total);
    result.stealPct = percentOf(after.machineStealSeconds - before.machineStealSeconds, total);
    // A switch costs a time slice at most; all of them together no more than the others have run.
    const double lost = std::min(result.involuntarySwitches * kTimeSliceSeconds, std::max(0.0, busy - own));
    result.preemptedPct = percentOf(lost, own + lost);
    result.reason = reasonFor(result);
    result.isDisturbed = !result.reason.empty();
    return result;
}

ClockReading operator-(const ClockReading& after, const ClockReading& before)
{
    return {after.looks - before.looks, after.heat - before.heat, after.slowdown - before.slowdown,
            after.powerBrake - before.powerBrake, after.powerLimit - before.powerLimit};
}

void judgeClocks(std::span<const ClockReading> ranks, Contention& contention)
{
    for (const ClockReason& reason : kClockReasons) {
        double worst = 0.0;
        std::size_t worstRank = 0;
        bool isKnown = false;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            isKnown = isKnown || ranks[rank].looks > 0.0;
            const double held = percentOf(ranks[rank].*reason.count, ranks[rank].looks);
            if (held > worst) {
                worst = held;
                worstRank = rank;
            }
        }
        if (isKnown)
            contention.gpuClocksHeldPct[reason.name] = worst;
        if (!reason.disturbs || worst <= kDisturbedPct)
            continue;
        contention.isDisturbed = true;
        contention.reason += (contention.reason.empty() ? "" : "; ") +
                             ("the GPU of rank " + std::to_string(worstRank)) + " was slowed down by " +
                             reason.words + " for " + std::to_string(std::lround(worst)) + " % of the time";
    }
}

void readMachineUsage(std::string_view text, const std::set<int>& cpus, double ticksPerSecond,
                      UsageReading& reading)
{
    std::istringstream lines{std::string(text)};
    UsageReading sum;
    for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
        const bool isOfAll = line.starts_with("cpu ");
        if (cpus.empty() ? isOfAll : !isOfAll && cpus.contains(std::atoi(line.c_str() + kLabelLength)))
            addTimes(line, ticksPerSecond, sum);
    }
    if (sum.machineTotalSeconds == 0.0)
        return;
    reading.machineBusySeconds = sum.machineBusySeconds;
    reading.machineStealSeconds = sum.machineStealSeconds;
    reading.machineTotalSeconds = sum.machineTotalSeconds;
}

UsageReading readUsage()
{
    UsageReading reading;
    std::ifstream file("/proc/stat");
    std::ostringstream text;
    text << file.rdbuf();
    readMachineUsage(text.str(), usableCpus(), static_cast<double>(sysconf(_SC_CLK_TCK)), reading);
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
    return judgeContention(before, readUsage()).foreignPct;
}

} // namespace quadric::trainer
