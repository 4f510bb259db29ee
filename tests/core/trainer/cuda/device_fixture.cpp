// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_fixture.h"

#include "core/trainer/base/exchange_options.h"

namespace quadric::trainer::testing {

namespace {

WireType wireOf(Precision precision)
{
    return precision == Precision::Bf16 ? WireType::Bf16 : WireType::Fp16;
}

} // namespace

void OnGpu::SetUp()
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0)
        GTEST_SKIP() << "skipped: no GPU (" << cudaGetErrorString(status) << ')';
    m_stream = std::make_unique<cuda::Stream>();
}

cuda::DeviceMemory onDevice(Precision precision, std::span<const float> values)
{
    if (precision == Precision::Fp32)
        return copied(std::vector<float>(values.begin(), values.end()));
    std::vector<std::uint16_t> bits(values.size());
    encode16(wireOf(precision), values, bits);
    return copied(bits);
}

std::vector<float> fromDevice(Precision precision, const cuda::DeviceMemory& memory, std::size_t count)
{
    if (precision == Precision::Fp32)
        return contents<float>(memory, count);
    std::vector<float> values(count);
    decode16(wireOf(precision), contents<std::uint16_t>(memory, count), values);
    return values;
}

std::vector<float> rounded(Precision precision, std::span<const float> values)
{
    std::vector<float> result(values.begin(), values.end());
    for (float& value : result)
        value = precision == Precision::Fp32 ? value : roundedToWire(wireOf(precision), value);
    return result;
}

double roundingOf(Precision precision)
{
    switch (precision) {
    case Precision::Bf16:
        return 0x1p-8;
    case Precision::Fp16:
        return 0x1p-11;
    case Precision::Fp32:
    case Precision::Tf32: // kernels of ours round nothing
        break;
    }
    return 0x1p-24;
}

std::string nameOf(const ::testing::TestParamInfo<Precision>& info)
{
    switch (info.param) {
    case Precision::Bf16:
        return "Bf16";
    case Precision::Fp16:
        return "Fp16";
    case Precision::Fp32:
    case Precision::Tf32: // kernels of ours round nothing
        break;
    }
    return "Fp32";
}

} // namespace quadric::trainer::testing
