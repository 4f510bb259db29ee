// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/machine.h"

#include "core/machine/processor.h"
#include "core/trainer/cpu/cpu_support.h"

namespace quadric::trainer {

Machine readMachine()
{
    const CpuSupport support = readCpuSupport();
    Machine machine{.host = machine::readHostName(), .cpu = machine::readProcessorName(), .limits = {}};
    machine.limits.cores = machine::countUsableCores();
    machine.limits.hasBf16 = support.hasBf16;
    machine.limits.whyNoCpu = support.whyNot;
    machine.limits.availableBytes = machine::readAvailableBytes();
    return machine;
}

} // namespace quadric::trainer
