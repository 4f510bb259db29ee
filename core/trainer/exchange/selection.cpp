// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/selection.h"

#include "core/trainer/base/number_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

namespace quadric::trainer {

namespace {

constexpr int kBinShift = 20; ///< 2048 bins: exponent and three bits of the mantissa

/// Entries above `threshold` are selected, and the first `ties` of those equal to it.
struct Cut {
    std::uint32_t threshold = 0;
    std::size_t ties = 0;
};

Cut cutAfter(std::span<const float> values, std::size_t count)
{
    std::array<std::size_t, std::size_t{1} << (31 - kBinShift)> histogram{};
    for (const float value : values)
        ++histogram[magnitudeBits(value) >> kBinShift];
    std::size_t bin = histogram.size() - 1;
    std::size_t above = 0;
    while (above + histogram[bin] < count)
        above += histogram[bin--];

    std::vector<std::uint32_t> contested;
    contested.reserve(histogram[bin]);
    for (const float value : values) {
        if (magnitudeBits(value) >> kBinShift == bin)
            contested.push_back(magnitudeBits(value));
    }
    const auto last = contested.begin() + static_cast<std::ptrdiff_t>(count - above - 1);
    std::ranges::nth_element(contested, last, std::greater<>());
    const std::uint32_t threshold = *last;
    const auto larger =
        std::count_if(contested.begin(), last, [threshold](std::uint32_t bits) { return bits > threshold; });
    return {threshold, count - above - static_cast<std::size_t>(larger)};
}

} // namespace

std::size_t sentEntries(std::size_t count, double percent)
{
    if (count == 0)
        return 0;
    const double kept = static_cast<double>(count) * (100.0 - percent) / 100.0;
    return std::clamp(static_cast<std::size_t>(std::ceil(kept)), std::size_t{1}, count);
}

void selectLargest(std::span<const float> values, std::size_t count, std::vector<std::uint32_t>& positions)
{
    positions.resize(count);
    if (count >= values.size()) {
        std::iota(positions.begin(), positions.end(), 0U);
        return;
    }
    if (count == 0)
        return;
    Cut cut = cutAfter(values, count);
    std::size_t found = 0;
    for (std::size_t i = 0; found < count; ++i) {
        const std::uint32_t bits = magnitudeBits(values[i]);
        const bool isTie = bits == cut.threshold && cut.ties > 0;
        if (bits > cut.threshold || isTie) {
            positions[found++] = static_cast<std::uint32_t>(i);
            cut.ties -= isTie ? 1 : 0;
        }
    }
}

} // namespace quadric::trainer
