// SPDX-License-Identifier: GPL-3.0-or-later
// How long the search for the best settings takes: a slider that moves a weight asks for it up to 60 times a
// second.
#include "core/optimize/merit/optimum.h"
#include "slider_study.h"

#include <benchmark/benchmark.h>

#include <cmath>

namespace quadric::optimize {
namespace {

using Factors = BenchmarkFactors;

study::Study studyOf(int factors, int responses, Factors kind)
{
    return sliderStudy(factors, responses, static_cast<int>(std::pow(3, factors)), kind);
}

void search(benchmark::State& state, Factors kind, bool isSlider)
{
    const study::Study study =
        studyOf(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), kind);
    const std::vector<model::Fit> fits = model::fitStudy(study);
    OptimizeOptions options;
    const Optimum first = findOptimum(study, fits, options);
    for (const ResponseAtOptimum& row : first.responses) {
        if (isSlider)
            options.bestAlone[row.response] = row.bestAlone;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(findOptimum(study, fits, options));
    state.counters["overall"] = first.overall;
    state.counters["proven"] = first.isProven ? 1.0 : 0.0;
}

/// A weight that goes to and fro, each answer started from the one before.
void drag(benchmark::State& state, Factors kind)
{
    study::Study study = studyOf(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), kind);
    const std::vector<model::Fit> fits = model::fitStudy(study);
    Optimum optimum = findOptimum(study, fits);
    int step = 0;
    int proven = 0;
    for (auto _ : state) {
        study.responses.front().weight = 1.0 + 0.9 * std::sin(0.05 * ++step);
        optimum = refineOptimum(study, fits, optimum);
        proven += optimum.isProven ? 1 : 0;
    }
    state.counters["overall"] = optimum.overall;
    state.counters["proven"] = static_cast<double>(proven) / step;
}

void assessment(benchmark::State& state)
{
    const study::Study study = studyOf(3, 4, Factors::Mixed);
    const std::vector<model::Fit> fits = model::fitStudy(study);
    const study::Settings settings = findOptimum(study, fits).settings;
    for (auto _ : state)
        benchmark::DoNotOptimize(assess(study, fits, settings));
}

void front(benchmark::State& state)
{
    const study::Study study = studyOf(3, static_cast<int>(state.range(0)), Factors::Mixed);
    const std::vector<model::Fit> fits = model::fitStudy(study);
    for (auto _ : state)
        benchmark::DoNotOptimize(tradeOffFront(study, fits));
}

void searchSizes(benchmark::internal::Benchmark* bench)
{
    bench->Args({3, 2})->Args({3, 4})->Args({5, 4})->Args({6, 5})->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(search, continuous, Factors::Continuous, false)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, continuous_slider, Factors::Continuous, true)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, integers, Factors::Listed, false)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, integers_slider, Factors::Listed, true)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, mixed, Factors::Mixed, false)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, mixed_slider, Factors::Mixed, true)->Apply(searchSizes);
BENCHMARK_CAPTURE(drag, continuous, Factors::Continuous)->Apply(searchSizes);
BENCHMARK_CAPTURE(drag, integers, Factors::Listed)->Apply(searchSizes);
BENCHMARK_CAPTURE(drag, mixed, Factors::Mixed)->Apply(searchSizes);
BENCHMARK(assessment)->Unit(benchmark::kMicrosecond);
BENCHMARK(front)->Arg(2)->Arg(4)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace quadric::optimize
