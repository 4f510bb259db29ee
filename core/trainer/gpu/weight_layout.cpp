// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/weight_layout.h"

namespace quadric::trainer::cuda {

namespace {

/// Calls function(plain, last) with the places of every value in both orders.
template <typename Function>
void forBothOrders(const std::vector<std::int64_t>& dims, const Function& function)
{
    const auto channels = static_cast<std::size_t>(dims[1]);
    const auto area = static_cast<std::size_t>(dims[2] * dims[3]);
    std::size_t plain = 0;
    for (std::size_t outer = 0; outer < static_cast<std::size_t>(dims[0]); ++outer) {
        for (std::size_t channel = 0; channel < channels; ++channel) {
            for (std::size_t pixel = 0; pixel < area; ++pixel)
                function(plain++, (outer * area + pixel) * channels + channel);
        }
    }
}

} // namespace

std::vector<float> channelsLast(const std::vector<std::int64_t>& dims, std::span<const float> plain)
{
    std::vector<float> values(plain.begin(), plain.end());
    if (dims.size() == 4)
        forBothOrders(dims, [&](std::size_t from, std::size_t to) { values[to] = plain[from]; });
    return values;
}

std::vector<float> channelsFirst(const std::vector<std::int64_t>& dims, std::span<const float> values)
{
    std::vector<float> plain(values.begin(), values.end());
    if (dims.size() == 4)
        forBothOrders(dims, [&](std::size_t to, std::size_t from) { plain[to] = values[from]; });
    return plain;
}

} // namespace quadric::trainer::cuda
