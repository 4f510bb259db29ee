// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/number_format.h"
#include "core/trainer/cuda/stream.h"

#include "normal_numbers.h"

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <vector>

namespace quadric::trainer::testing {

/// Tests that need a GPU: without one they are skipped, and say so.
class OnGpu : public ::testing::Test {
protected:
    void SetUp() override;
    cudaStream_t stream() const { return m_stream->get(); }
    const cuda::Stream& queue() const { return *m_stream; }

private:
    std::unique_ptr<cuda::Stream> m_stream;
};

/// The same for every precision.
class OnGpuWithPrecision : public OnGpu, public ::testing::WithParamInterface<Precision> {};

/// Numbers on the GPU in the format of a precision, or the nearest to them.
cuda::DeviceMemory onDevice(Precision precision, std::span<const float> values);
std::vector<float> fromDevice(Precision precision, const cuda::DeviceMemory& memory, std::size_t count);
/// The numbers as the precision keeps them.
std::vector<float> rounded(Precision precision, std::span<const float> values);

template <typename Number> cuda::DeviceMemory copied(const std::vector<Number>& values)
{
    cuda::DeviceMemory memory(values.size() * sizeof(Number));
    memory.upload(values.data(), values.size() * sizeof(Number));
    return memory;
}
template <typename Number> std::vector<Number> contents(const cuda::DeviceMemory& memory, std::size_t count)
{
    std::vector<Number> values(count);
    memory.download(values.data(), count * sizeof(Number));
    return values;
}

/// Entries of a large bucket.
inline constexpr std::size_t kLargeBucket = 5000001;

/// Half a unit in the last place of numbers near one: the error of a single rounding.
double roundingOf(Precision precision);

std::string nameOf(const ::testing::TestParamInfo<Precision>& info);

} // namespace quadric::trainer::testing
