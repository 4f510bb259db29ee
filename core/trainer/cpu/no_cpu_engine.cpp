// SPDX-License-Identifier: GPL-3.0-or-later
// The processor engine of a build without oneDNN: it says so.
#include "core/trainer/base/failure.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/exchange/engine.h"

namespace quadric::trainer {

CpuSupport readCpuSupport()
{
    CpuSupport support;
    support.whyNot =
        "this quadric-trainer was built without oneDNN, which computes on processors; install oneDNN "
        "(Debian, Ubuntu: libdnnl-dev) and build again, or use engine cuda";
    return support;
}

std::unique_ptr<Engine> makeCpuEngine(const Workload&, Collective&)
{
    throw Failure(kBadSettings, "engine cpu: " + readCpuSupport().whyNot);
}

} // namespace quadric::trainer
