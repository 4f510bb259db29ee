// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/rank_contention.h"

#include "core/machine/affinity.h"
#include "core/machine/processor.h"
#include "core/trainer/base/hash.h"

#include <algorithm>
#include <map>

namespace quadric::trainer {

namespace {

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

} // namespace

std::uint64_t processorPlace()
{
    Hash hash;
    hash.add(machine::readHostName() + ' ' + machine::cpuListText(machine::allowedCpus()));
    return hash.value();
}

machine::Contention judgeRanks(std::span<const RankUsage> ranks, bool computesOnGpus)
{
    machine::Contention worst;
    double voluntary = 0.0, involuntary = 0.0;
    bool isFirst = true;
    for (const auto& [place, usage] : byPlace(ranks)) {
        machine::Contention found = machine::judgeContention(usage.before, usage.after);
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

} // namespace quadric::trainer
