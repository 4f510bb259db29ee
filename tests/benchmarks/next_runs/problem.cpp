// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#include "core/optimize/search/search_space.h"

#include <algorithm>
#include <cmath>

namespace quadric::play {

namespace {

study::Factor continuous(const char* name, double low, double high)
{
    return {.name = name, .low = low, .high = high};
}

study::Factor integer(const char* name, double low, double high, std::int64_t multiple = 1)
{
    return {
        .name = name, .type = study::FactorType::Integer, .low = low, .high = high, .multipleOf = multiple};
}

study::Factor logarithmic(study::Factor factor)
{
    factor.scale = study::Scale::Log2;
    return factor;
}

study::Factor category(const char* name, std::vector<std::string> levels)
{
    return {.name = name, .type = study::FactorType::Categorical, .categories = std::move(levels)};
}

study::Factor powersOfTwo(const char* name, double low, double high)
{
    study::Factor factor{.name = name, .type = study::FactorType::Discrete, .low = low, .high = high};
    for (double level = low; level <= high; level *= 2.0)
        factor.levels.push_back(level);
    return logarithmic(factor);
}

double square(double x)
{
    return x * x;
}

/// A hill of height 1 around `center`, on the logarithmic scale.
double hill(double x, double center, double width)
{
    return std::exp(-0.5 * square(std::log2(x / center) / width));
}

double saturating(double x, double half)
{
    return x / (x + half);
}

std::vector<Problem> problemsOfTraining()
{
    return {
        {"batch, workers, clock",
         {logarithmic(integer("batch", 16, 1024, 8)), integer("workers", 1, 16),
          continuous("clock", 0.6, 1.4)},
         [](const Values& v) {
             return 1000.0 * saturating(v[0], 150) * saturating(v[1], 2.5) * (1.0 - 0.015 * v[1]) *
                    (1.0 - 0.6 * square(v[2] - 1.15));
         },
         [](const Values& v) { return (0.1 + v[0] / 700.0 * (1.0 + 0.06 * v[1])); },
         0.35,
         0.02},
        {"micro-batch, checkpointing, sequence, memory told",
         {powersOfTwo("micro", 1, 64), continuous("share", 0.0, 1.0),
          logarithmic(integer("sequence", 256, 4096, 64))},
         [](const Values& v) {
             const double tokens = v[0] * v[2];
             return 500.0 * saturating(tokens, 9000) * (1.0 - 0.3 * v[1]) * hill(v[2], 1400, 2.2);
         },
         [](const Values& v) {
             return 0.15 + v[0] * v[2] / 40000.0 * (1.0 - 0.75 * v[1]) * (1.0 + v[2] / 6000.0);
         },
         0.3,
         0.02,
         true},
        {"gpus, batch, precision",
         {integer("gpus", 1, 16), logarithmic(integer("batch", 32, 2048, 32)),
          category("precision", {"fp32", "bf16", "fp8"})},
         [](const Values& v) {
             const double speed[] = {1.0, 1.7, 2.1};
             const double perGpu = v[1] / v[0];
             return 120.0 * v[0] * speed[static_cast<int>(v[2])] * saturating(perGpu, 25) /
                    (1.0 + 0.045 * v[0] * speed[static_cast<int>(v[2])]);
         },
         [](const Values& v) {
             const double bytes[] = {1.0, 0.6, 0.45};
             return 0.2 + bytes[static_cast<int>(v[2])] * v[1] / v[0] / 140.0;
         },
         0.2,
         0.03},
        {"tile, stages, warps, unroll",
         {powersOfTwo("tile", 16, 256), integer("stages", 1, 6), powersOfTwo("warps", 1, 16),
          integer("unroll", 1, 8)},
         [](const Values& v) {
             return 90.0 * hill(v[0], 110, 1.8) * saturating(v[1], 0.8) * hill(v[2], 6.0, 1.9) *
                    (1.0 - 0.01 * square(v[3] - 5.0));
         },
         [](const Values& v) { return v[0] * v[1] / 420.0 + v[0] * v[3] / (60.0 * v[2] + 900.0); },
         0.25,
         0.03},
        {"offload, batch, depth, width, memory told",
         {continuous("offload", 0.0, 1.0), logarithmic(integer("batch", 8, 512, 8)),
          integer("depth", 8, 48, 4), logarithmic(integer("width", 512, 4096, 128))},
         [](const Values& v) {
             const double work = v[2] / 24.0 * std::pow(v[3] / 1500.0, 0.7);
             return 300.0 * saturating(v[1], 40) * work / (1.0 + 0.35 * square(work)) * (1.0 - 0.35 * v[0]);
         },
         [](const Values& v) {
             const double weights = v[2] / 48.0 * square(v[3] / 4096.0) * 3.0 * (1.0 - 0.8 * v[0]);
             return 0.1 + weights + v[1] * v[2] * v[3] / 1.6e7;
         },
         0.4,
         0.03,
         true},
        {"threads, chunk, placement, prefetch",
         {integer("threads", 1, 32), logarithmic(continuous("chunk", 4, 1024)),
          category("placement", {"spread", "close"}), integer("prefetch", 0, 8)},
         [](const Values& v) {
             const double far = v[2] == 0.0 ? 1.1 : 1.0;
             return 40.0 * std::pow(v[0], 0.75) * far / (1.0 + 0.012 * v[0] * far) * hill(v[1], 90, 2.4) *
                    (0.8 + 0.2 * saturating(v[3], 1.5));
         },
         [](const Values& v) { return 0.1 + v[0] * v[1] / 6500.0 + v[0] * v[3] / 230.0; },
         0.2,
         0.05},
    };
}

std::vector<Problem> problemsOfShapes()
{
    return {
        {"ellipse in four factors",
         {continuous("a", -1, 1), continuous("b", -1, 1), continuous("c", -1, 1), continuous("d", -1, 1)},
         [](const Values& v) {
             return 60.0 + 14.0 * v[0] + 9.0 * v[1] - 11.0 * square(v[2] - 0.3) - 7.0 * square(v[3]) +
                    6.0 * v[0] * v[2];
         },
         [](const Values& v) {
             return square(v[0] + 0.2) / 1.1 + square(v[1] + 0.3) / 1.3 + 0.15 * square(v[2]);
         },
         0.3,
         0.01},
        {"banana in three factors",
         {continuous("a", 0, 10), continuous("b", 0, 10), integer("c", 1, 9)},
         [](const Values& v) {
             return 100.0 * std::exp(-0.02 * square(v[0] - 6.0) - 0.015 * square(v[1] - 7.0)) *
                    (1.0 - 0.01 * square(v[2] - 6.0));
         },
         [](const Values& v) { return (v[1] + 0.12 * square(v[0] - 3.0) + 0.2 * v[2]) / 8.0; },
         0.3,
         0.02},
        {"five factors, two categories",
         {continuous("a", 0, 1), continuous("b", 0, 1), integer("c", 2, 20, 2), category("d", {"x", "y"}),
          category("e", {"ring", "tree", "mesh"})},
         [](const Values& v) {
             const double e[] = {0.0, 6.0, 3.0};
             return 50.0 + 25.0 * v[0] - 12.0 * square(v[0]) + 18.0 * v[1] * (1.0 - 0.3 * v[1]) + 1.6 * v[2] -
                    0.05 * square(v[2]) + (v[3] == 1.0 ? 5.0 * v[0] : 0.0) + e[static_cast<int>(v[4])];
         },
         [](const Values& v) {
             return 0.25 + square(v[0]) * 0.55 + v[1] * v[2] / 22.0 + (v[3] == 1.0 ? 0.1 : 0.0);
         },
         0.25,
         0.02},
        {"five factors, ridge",
         {logarithmic(continuous("a", 1, 64)), logarithmic(continuous("b", 1, 64)), continuous("c", 0, 1),
          integer("d", 1, 12), continuous("e", 0, 1)},
         [](const Values& v) {
             return 200.0 * hill(v[0] * v[1], 500, 3.5) * (0.7 + 0.3 * v[2]) * saturating(v[3], 1.5) *
                    (1.0 - 0.25 * square(v[4] - 0.4));
         },
         [](const Values& v) { return 0.05 + v[0] / 70.0 + v[1] * v[3] / 420.0 + 0.2 * square(v[2]); },
         0.35,
         0.02},
        {"six factors, smooth",
         {continuous("a", 0, 1), continuous("b", 0, 1), continuous("c", 0, 1),
          logarithmic(integer("d", 8, 256, 8)), integer("e", 1, 8), category("f", {"p", "q"})},
         [](const Values& v) {
             return 80.0 * (0.6 + 0.4 * v[0] - 0.15 * square(v[0])) * (1.0 - 0.5 * square(v[1] - 0.6)) *
                    (0.85 + 0.15 * v[2]) * saturating(v[3], 30) * saturating(v[4], 0.7) *
                    (v[5] == 1.0 ? 1.08 : 1.0);
         },
         [](const Values& v) {
             return 0.1 + 0.35 * square(v[0]) + v[3] * v[4] / 1500.0 + 0.15 * v[2] +
                    (v[5] == 1.0 ? 0.12 : 0.0);
         },
         0.15,
         0.02},
        {"six factors, half infeasible",
         {continuous("a", -1, 1), continuous("b", -1, 1), continuous("c", -1, 1), continuous("d", -1, 1),
          integer("e", -3, 3), integer("f", -3, 3)},
         [](const Values& v) {
             return 100.0 + 10.0 * v[0] + 8.0 * v[1] + 5.0 * v[2] - 6.0 * square(v[3] - 0.2) -
                    0.8 * square(v[4] - 1.0) + 1.5 * v[5] - 0.5 * square(v[5]);
         },
         [](const Values& v) {
             return 1.0 + 0.5 * v[0] + 0.35 * v[1] * (1.0 + 0.4 * v[1]) + 0.25 * square(v[2]) - 0.15;
         },
         0.45,
         0.01},
    };
}

} // namespace

void scaleMemory(Problem& problem)
{
    const optimize::SearchSpace space(studyOf(problem), {}, {});
    std::vector<double> needs;
    for (const Eigen::VectorXd& x : optimize::legalSample(space, 4000, 11))
        needs.push_back(problem.memory(valuesOf(problem, space.settingsAt(x))));
    const auto limit = needs.begin() + static_cast<std::ptrdiff_t>((1.0 - problem.infeasible) *
                                                                   static_cast<double>(needs.size()));
    std::ranges::nth_element(needs, limit);
    problem.memory = [needed = problem.memory, most = *limit](const Values& values) {
        return needed(values) / most;
    };
}

std::vector<Problem> problems()
{
    std::vector<Problem> all = problemsOfTraining();
    for (Problem& problem : problemsOfShapes())
        all.push_back(std::move(problem));
    for (Problem& problem : all)
        scaleMemory(problem);
    return all;
}

Values valuesOf(const Problem& problem, const study::Settings& settings)
{
    Values values;
    for (const study::Factor& factor : problem.factors) {
        const study::Value& value = settings.at(factor.name);
        const std::string* level = std::get_if<std::string>(&value);
        values.push_back(level == nullptr ? std::get<double>(value)
                                          : static_cast<double>(std::ranges::find(factor.categories, *level) -
                                                                factor.categories.begin()));
    }
    return values;
}

study::Study studyOf(const Problem& problem)
{
    study::Study study;
    study.name = problem.name;
    study.factors = problem.factors;
    study.responses = {{.name = "y", .goal = study::Goal::Maximize}};
    return study;
}

} // namespace quadric::play
