// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/training_batches.h"

#include "core/trainer/base/statistics.h"

#include <algorithm>
#include <numbers>

namespace quadric::trainer {

namespace {

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

constexpr int kPatterns = 10; ///< classes that occur: fifty steps are too few to learn a thousand

std::vector<float> wave(int length, int periods)
{
    std::vector<float> values(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i)
        values[static_cast<std::size_t>(i)] =
            static_cast<float>(std::cos(2.0 * std::numbers::pi * periods * i / length));
    return values;
}

/// Standing waves; a product of two has variance 1/4 and gets 1. Every channel has the same.
void addPattern(std::span<float> image, const Shape& shape, int pattern)
{
    const std::vector<float> rows = wave(shape.height, 1 + pattern % 4);
    const std::vector<float> columns = wave(shape.width, 1 + pattern / 4);
    auto value = image.begin();
    for (int channel = 0; channel < shape.channels; ++channel) {
        for (const float row : rows) {
            for (const float column : columns)
                *value++ += 2.0F * row * column;
        }
    }
}

/// Uniform with variance 1, four numbers of 16 bits from each draw: millions are needed in each step.
void fillWithNoise(std::span<float> values, Random& random)
{
    constexpr float kHalfWidth = std::numbers::sqrt3_v<float>;
    for (std::size_t i = 0; i < values.size(); i += 4) {
        std::uint64_t bits = random.bits();
        for (std::size_t k = i; k < std::min(i + 4, values.size()); ++k, bits >>= 16)
            values[k] = kHalfWidth * (static_cast<float>(bits & 0xffffU) / 32767.5F - 1.0F);
    }
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

SyntheticBatch measuredBatch(const Workload& workload, int classes, int rank)
{
    const std::uint64_t seed =
        static_cast<std::uint64_t>(workload.seed) * 1000003ULL + 1 + static_cast<std::uint64_t>(rank);
    return makeSyntheticBatch({3, workload.imageSize, workload.imageSize}, workload.batchPerRank, classes,
                              seed);
}

std::vector<std::vector<float>> firstParameters(const std::vector<Parameter>& parameters, std::uint64_t seed)
{
    Random random(seed);
    std::vector<std::vector<float>> values;
    values.reserve(parameters.size());
    double denseBound = 0.0;
    for (const Parameter& parameter : parameters) {
        if (parameter.dims.size() == 4)
            denseBound = 1.0 / std::sqrt(static_cast<double>(parameter.dims[1]));
        values.push_back(firstValues(parameter, denseBound, random));
    }
    return values;
}

TrainingBatches::TrainingBatches(const Workload& workload, int classes, int rank)
    : m_image{3, workload.imageSize, workload.imageSize}
    , m_batch(workload.batchPerRank)
    , m_classes(classes)
    , m_seed(static_cast<std::uint64_t>(workload.seed))
    , m_rank(static_cast<std::uint64_t>(rank))
    , m_ranks(static_cast<std::uint64_t>(workload.ranks))
    , m_microBatches(static_cast<std::uint64_t>(kTrainingBatches) *
                     static_cast<std::uint64_t>(workload.aggregation))
{
}

SyntheticBatch TrainingBatches::next()
{
    const auto batch = static_cast<std::size_t>(m_batch);
    const std::size_t imageSize = static_cast<std::size_t>(m_image.channels) * m_image.height * m_image.width;
    const std::uint64_t first = (m_next++ % m_microBatches * m_ranks + m_rank) * batch;
    SyntheticBatch made;
    made.images.resize(batch * imageSize);
    for (std::size_t i = 0; i < batch; ++i) {
        Random random(Random(first + i).bits() ^ m_seed); // neighbors in number are far apart in the stream
        const std::span<float> image = std::span(made.images).subspan(i * imageSize, imageSize);
        const auto pattern = static_cast<int>(random.bits() % kPatterns);
        fillWithNoise(image, random);
        addPattern(image, m_image, pattern);
        made.labels.push_back(pattern % m_classes);
    }
    return made;
}

} // namespace quadric::trainer
