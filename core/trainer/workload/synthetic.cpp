// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/synthetic.h"

#include "core/trainer/base/random.h"

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

} // namespace quadric::trainer
