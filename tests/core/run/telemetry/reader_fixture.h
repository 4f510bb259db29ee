// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/reader.h"
#include "machine_fixture.h"

namespace quadric::test {

/// Reads this machine; process 100 is ours.
inline machine::ReaderOptions readerOptions(const MachineFixture& machine)
{
    return {.root = machine.root(), .nvmlLibrary = FAKE_NVML, .devices = {}, .ownPid = 100};
}

} // namespace quadric::test
