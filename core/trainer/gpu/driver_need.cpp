// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/driver_need.h"

namespace quadric::trainer::cuda {

namespace {

int majorOf(int version)
{
    return version / 1000;
}

std::string words(int version)
{
    return "CUDA " + std::to_string(majorOf(version)) + '.' + std::to_string(version % 1000 / 10);
}

/// First driver for Linux that serves all versions of CUDA with that first number: "CUDA minor version
/// compatibility" in the release notes of CUDA 13.0. 0 for one that is not listed there.
int leastDriver(int major)
{
    switch (major) {
    case 11:
        return 450;
    case 12:
        return 525;
    case 13:
        return 580;
    default:
        return 0;
    }
}

} // namespace

std::string whyDriverIsTooOld(const DriverFacts& facts)
{
    if (majorOf(facts.serves) >= majorOf(facts.needed))
        return {};
    const int least = leastDriver(majorOf(facts.needed));
    const std::string need =
        "this module needs " + words(facts.needed) +
        (least == 0 ? std::string() : ", that is driver " + std::to_string(least) + " or newer");
    if (facts.serves == 0)
        return "no NVIDIA driver is installed; " + need;
    const std::string driver = facts.driver.empty() ? "the driver" : "driver " + facts.driver;
    return driver + " serves " + words(facts.serves) + "; " + need;
}

} // namespace quadric::trainer::cuda
