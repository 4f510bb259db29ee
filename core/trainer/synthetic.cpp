// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/synthetic.h"

#include <cmath>
#include <numbers>

namespace quadric::trainer {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same everywhere, which the distributions of the
/// standard library are not.
class Random {
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed * 0x9e3779b97f4a7c15ULL + 1)
    {
    }

    std::uint64_t bits()
    {
        std::uint64_t z = (m_state += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    /// Uniform in (0, 1].
    double uniform() { return (static_cast<double>(bits() >> 11) + 1.0) * 0x1.0p-53; }
    /// Fills with normal numbers (Box and Muller 1958).
    void normal(std::span<float> values, double deviation)
    {
        for (std::size_t i = 0; i < values.size(); i += 2) {
            const double radius = deviation * std::sqrt(-2.0 * std::log(uniform()));
            const double angle = 2.0 * std::numbers::pi * uniform();
            values[i] = static_cast<float>(radius * std::cos(angle));
            if (i + 1 < values.size())
                values[i + 1] = static_cast<float>(radius * std::sin(angle));
        }
    }

private:
    std::uint64_t m_state;
};

std::vector<float> firstValues(const Parameter& parameter, double denseBound, Random& random)
{
    std::vector<float> values(parameter.count(), 0.0F);
    const bool isDense = parameter.name.starts_with("classifier");
    if (isDense) {
        for (float& value : values)
            value = static_cast<float>(denseBound * (2.0 * random.uniform() - 1.0));
    } else if (parameter.dims.size() == 4) {
        const auto fanOut = static_cast<double>(parameter.dims[0] * parameter.dims[2] * parameter.dims[3]);
        random.normal(values, std::sqrt(2.0 / fanOut));
    } else if (parameter.name.ends_with(".scale")) {
        values.assign(values.size(), 1.0F);
    }
    return values;
}

} // namespace

SyntheticBatch makeSyntheticBatch(Shape image, int batch, int classes, std::uint64_t seed)
{
    Random random(seed);
    SyntheticBatch made;
    made.images.resize(static_cast<std::size_t>(batch) * image.channels * image.height * image.width);
    random.normal(made.images, 1.0);
    for (int i = 0; i < batch; ++i)
        made.labels.push_back(static_cast<int>(random.bits() % static_cast<std::uint64_t>(classes)));
    return made;
}

void initialise(CpuNetwork& network, std::uint64_t seed)
{
    Random random(seed);
    double denseBound = 0.0;
    for (std::size_t i = 0; i < network.parameters().size(); ++i) {
        const Parameter& parameter = network.parameters()[i];
        if (parameter.dims.size() == 4)
            denseBound = 1.0 / std::sqrt(static_cast<double>(parameter.dims[1]));
        network.setValue(i, firstValues(parameter, denseBound, random));
    }
}

} // namespace quadric::trainer
