// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/clock_reasons.h"

namespace quadric::machine {

std::vector<std::string> namesOf(std::uint64_t throttle)
{
    std::vector<std::string> names;
    for (const ClockReason& reason : kClockReasons) {
        if ((throttle & reason.bits) != 0)
            names.emplace_back(reason.name);
    }
    return names;
}

void ClockReading::add(ThrottleReason reason, double heldSeconds)
{
    for (std::size_t i = 0; i < held.size(); ++i)
        held[i] += (reason & kClockReasons[i].bits) != 0 ? heldSeconds : 0.0;
}

ClockReading operator-(const ClockReading& after, const ClockReading& before)
{
    ClockReading passed{.seconds = after.seconds - before.seconds};
    for (std::size_t i = 0; i < passed.held.size(); ++i)
        passed.held[i] = after.held[i] - before.held[i];
    return passed;
}

} // namespace quadric::machine
