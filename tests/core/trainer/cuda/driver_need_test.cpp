// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/driver_need.h"

#include <gtest/gtest.h>

namespace quadric::trainer::cuda {
namespace {

TEST(DriverNeed, NamesBothVersionsAndTheDriverThatIsNeeded)
{
    EXPECT_EQ(whyDriverIsTooOld({"550.54.15", 12040, 13000}),
              "driver 550.54.15 serves CUDA 12.4; this module needs CUDA 13.0, that is driver 580 or newer");
    EXPECT_EQ(whyDriverIsTooOld({"", 11080, 12060}),
              "the driver serves CUDA 11.8; this module needs CUDA 12.6, that is driver 525 or newer");
    EXPECT_EQ(whyDriverIsTooOld({"440.33", 10020, 11000}),
              "driver 440.33 serves CUDA 10.2; this module needs CUDA 11.0, that is driver 450 or newer");
    EXPECT_EQ(whyDriverIsTooOld({"590.1", 13010, 14020}),
              "driver 590.1 serves CUDA 13.1; this module needs CUDA 14.2");
    EXPECT_EQ(whyDriverIsTooOld({"", 0, 13000}),
              "no NVIDIA driver is installed; this module needs CUDA 13.0, that is driver 580 or newer");
}

TEST(DriverNeed, ADriverServesOlderVersionsAndNewerOnesWithItsFirstNumber)
{
    EXPECT_EQ(whyDriverIsTooOld({"580.65.06", 13000, 13000}), "");
    EXPECT_EQ(whyDriverIsTooOld({"580.65.06", 13000, 12040}), "");
    EXPECT_EQ(whyDriverIsTooOld({"525.60.13", 12000, 12080}), "");
}

} // namespace
} // namespace quadric::trainer::cuda
