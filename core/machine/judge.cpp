// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/judge.h"

#include <algorithm>
#include <cmath>

namespace quadric::machine {

namespace {

constexpr double kPercent = 100.0;
constexpr double kNoticeablePct = 2.0; ///< of foreign load, below which switches are our own doing

std::string wholeText(double value)
{
    return std::to_string(std::lround(value));
}

} // namespace

double percentOf(double part, double whole)
{
    return whole > 0.0 ? std::clamp(kPercent * part / whole, 0.0, kPercent) : 0.0;
}

CpuShares sharesOf(const CpuTimes& passed, double ownSeconds)
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

} // namespace quadric::machine
