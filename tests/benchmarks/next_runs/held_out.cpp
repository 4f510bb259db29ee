// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#include <algorithm>
#include <cmath>

namespace quadric::play {

namespace {

double squared(double x)
{
    return x * x;
}

study::Factor real(const char* name, double low, double high, study::Scale scale = study::Scale::Linear)
{
    return {.name = name, .low = low, .high = high, .scale = scale};
}

study::Factor whole(const char* name, double low, double high, std::int64_t multiple = 1,
                    study::Scale scale = study::Scale::Linear)
{
    return {.name = name,
            .type = study::FactorType::Integer,
            .low = low,
            .high = high,
            .scale = scale,
            .multipleOf = multiple};
}

study::Factor oneOf(const char* name, std::vector<std::string> levels)
{
    return {.name = name, .type = study::FactorType::Categorical, .categories = std::move(levels)};
}

/// The slowest of several rates decides, with a soft corner.
double slowestOf(std::initializer_list<double> rates)
{
    double sum = 0.0;
    for (const double rate : rates)
        sum += std::pow(rate, -4.0);
    return std::pow(sum, -0.25);
}

std::vector<Problem> problemsOfSystems()
{
    return {
        {"pipeline: stages, micro-batches, width, recompute",
         {whole("stages", 1, 8), whole("micro", 1, 64, 1, study::Scale::Log2),
          whole("width", 1024, 8192, 256, study::Scale::Log2), oneOf("recompute", {"none", "some", "all"})},
         [](const Values& v) {
             const double slower[] = {1.0, 1.06, 1.33};
             const double bubble = v[1] / (v[1] + v[0] - 1.0);
             return 100.0 * std::pow(v[0], 0.8) * bubble * v[2] / (v[2] + 2500.0) /
                    slower[static_cast<int>(v[3])] / (1.0 + 0.01 * v[1]);
         },
         [](const Values& v) {
             const double kept[] = {1.0, 0.45, 0.12};
             return squared(v[2] / 4096.0) * 4.0 / v[0] +
                    kept[static_cast<int>(v[3])] * std::min(v[1], v[0]) * v[2] / 4096.0;
         },
         0.3,
         0.02},
        {"roofline: threads, vector, tile, prefetch",
         {whole("threads", 1, 64), whole("vector", 1, 16), real("tile", 8, 512, study::Scale::Log2),
          real("prefetch", 0, 1)},
         [](const Values& v) {
             const double compute = 12.0 * std::pow(v[0], 0.9) * std::pow(v[1], 0.5);
             const double memory = 60.0 * std::sqrt(v[2]) * (0.6 + 0.4 * v[3]);
             const double cache = 5e4 / v[2] + 250.0;
             return slowestOf({compute, memory, cache});
         },
         [](const Values& v) { return v[0] * v[2] / 8000.0 + 0.02 * v[0] * v[3] + 0.004 * squared(v[1]); },
         0.25,
         0.03},
        {"time-outs: sync, shards, batch, retries",
         {real("sync", 0.01, 1, study::Scale::Log2), whole("shards", 1, 24),
          whole("batch", 16, 512, 16, study::Scale::Log2), whole("retries", 0, 5)},
         [](const Values& v) {
             return 20.0 * v[1] / (1.0 + 0.05 * squared(v[1]) * v[0]) * std::pow(v[2], 0.45) *
                    (1.0 - 0.04 * squared(v[3] - 2.0));
         },
         [](const Values& v) {
             return 1.0 / (0.05 + v[1] / (1.0 + 0.3 * squared(v[1]) * v[0]) / std::pow(v[2], 0.4));
         },
         0.2,
         0.05},
        {"placement in six factors, three do nothing, memory told",
         {real("a", 0, 1), real("b", 0, 1), whole("c", 1, 32, 1, study::Scale::Log2), real("d", 0, 1),
          whole("e", 1, 10), oneOf("f", {"u", "v", "w"})},
         [](const Values& v) {
             return 70.0 * (0.4 + 0.6 * std::sqrt(v[0])) * (1.0 - 0.6 * squared(v[1] - 0.35)) * v[2] /
                    (v[2] + 6.0);
         },
         [](const Values& v) { return 0.2 + 0.6 * v[0] + v[2] / 32.0 + 0.4 * v[0] * v[1]; },
         0.35,
         0.02,
         true},
    };
}

/// Fewer ranks are better used, until weights and cache no longer fit: the best of each number of ranks lies
/// at another part of the boundary.
Problem serving()
{
    return {
        "serving: ranks, batch, context, cache",
        {whole("ranks", 1, 8), whole("batch", 1, 128, 1, study::Scale::Log2),
         whole("context", 512, 8192, 256, study::Scale::Log2), real("cache", 0.1, 0.9)},
        [](const Values& v) {
            const double hits = 1.0 - 0.5 * squared(v[3] - 0.7);
            return 400.0 * std::pow(v[0], -0.2) * v[1] / (v[1] + 24.0) * hits *
                   std::exp(-0.25 * squared(std::log2(v[2] / 2000.0)));
        },
        [](const Values& v) { return 1.6 / v[0] + v[1] * v[2] / (9e4 * std::pow(v[0], 0.7)) + 0.7 * v[3]; },
        0.3,
        0.02};
}

std::vector<Problem> problemsOfSurfaces()
{
    return {
        {"two peaks, the higher one half behind the boundary",
         {real("a", 0, 1), real("b", 0, 1), real("c", 0, 1)},
         [](const Values& v) {
             const double low = 80.0 * std::exp(-6.0 * (squared(v[0] - 0.2) + squared(v[1] - 0.3)));
             const double high = 110.0 * std::exp(-6.0 * (squared(v[0] - 0.8) + squared(v[1] - 0.8)));
             return 20.0 + (low + high) * (1.0 - 0.3 * squared(v[2] - 0.6));
         },
         [](const Values& v) { return squared(v[0]) + v[1] * v[1] * v[1] + 0.3 * v[2] * v[1]; },
         0.3,
         0.02},
        {"crashes in the middle, four factors",
         {real("a", -1, 1), real("b", -1, 1), whole("c", 0, 10), real("d", -1, 1)},
         [](const Values& v) {
             return 50.0 + 12.0 * std::sin(1.6 * v[0] + 0.4) + 7.0 * v[1] - 6.0 * v[1] * v[0] -
                    0.35 * squared(v[2] - 6.0) + 4.0 * v[3] - 5.0 * squared(v[3]);
         },
         [](const Values& v) {
             return std::exp(-1.2 * squared(v[0] - 0.4) - 1.5 * squared(v[1] + 0.1) -
                             0.6 * squared(v[3] - 0.2));
         },
         0.2,
         0.01},
        {"rotated valley in five factors",
         {real("a", -1, 1), real("b", -1, 1), real("c", -1, 1), real("d", -1, 1), real("e", -1, 1)},
         [](const Values& v) {
             const double along = 0.6 * v[0] + 0.6 * v[1] + 0.5 * v[2];
             const double across = 0.7 * v[0] - 0.7 * v[1];
             return 100.0 + 15.0 * along - 12.0 * squared(across - 0.3) - 6.0 * squared(v[3] - along) +
                    3.0 * v[4];
         },
         [](const Values& v) {
             return std::exp(0.8 * v[0] + 0.5 * v[2]) + 0.6 * squared(v[1]) + 0.4 * squared(v[3]) +
                    0.3 * v[4] * v[0];
         },
         0.4,
         0.01},
        {"three rates and a switch",
         {real("x", 1, 100, study::Scale::Log2), real("y", 1, 100, study::Scale::Log2),
          oneOf("mode", {"sync", "async"}), whole("z", 1, 12)},
         [](const Values& v) {
             const double gain = v[2] == 1.0 ? 1.25 : 1.0;
             return gain * std::pow(v[0], 0.4) * std::pow(v[1], 0.3) * 10.0 / (1.0 + 0.02 * v[1]) *
                    (1.0 - std::exp(-0.5 * v[3]));
         },
         [](const Values& v) {
             return v[0] / 60.0 + v[1] * v[3] / 500.0 + (v[2] == 1.0 ? v[0] * v[3] / 400.0 : 0.0);
         },
         0.3,
         0.03},
    };
}

} // namespace

std::vector<Problem> heldOutProblems()
{
    std::vector<Problem> all = problemsOfSystems();
    for (Problem& problem : problemsOfSurfaces())
        all.push_back(std::move(problem));
    all.push_back(serving());
    for (Problem& problem : all)
        scaleMemory(problem);
    return all;
}

} // namespace quadric::play
