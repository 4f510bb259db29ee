// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/reader.h"
#include "machine_fixture.h"
#include "tests/support/test_paths.h"

namespace quadric::test {

/// Reads this machine; process 100 is ours.
inline machine::ReaderOptions readerOptions(const MachineFixture& machine)
{
    return {.root = machine.root(),
            .nvmlLibrary = builtPath("tests/core/machine/driver/libnvidia-ml.so.1"),
            .devices = {},
            .ownPid = 100};
}

} // namespace quadric::test
