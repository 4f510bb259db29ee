// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/kernels/kernels.h"

#include "device_fixture.h"

#include <cmath>

namespace quadric::trainer::testing {

/// What tests of kernels share: the precision, and how near its results must be.
class KernelsOnGpu : public OnGpuWithPrecision {
protected:
    Precision precision() const { return GetParam(); }
    /// Values near `expected`, but for one rounding of the result and what fp32 sums lose.
    void expectNear(const std::vector<float>& found, const std::vector<double>& expected) const
    {
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], expected[i], 2 * roundingOf(precision()) * std::abs(expected[i]) + 2e-5)
                << i;
    }
    cuda::DeviceMemory scaleOf(float scale) const
    {
        return copied(std::vector<cuda::LossScale>{{scale, 0, 0}});
    }
};

} // namespace quadric::trainer::testing
