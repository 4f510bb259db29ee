// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/processor.h"
#include "core/run/launch/launch.h"

namespace quadric::run {

Machine thisMachine()
{
    return {.cores = machine::limitToQuota(machine::countUsableCores()),
            .memoryMib = machine::readMemoryMib()};
}

} // namespace quadric::run
