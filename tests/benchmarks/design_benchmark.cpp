// SPDX-License-Identifier: GPL-3.0-or-later
// How long designs take from 3 to 15 factors. The wizard lays out and judges one while the user types: 50 ms
// for 3 to 7 factors.
#include "core/design/evaluate/offers.h"

#include <benchmark/benchmark.h>

namespace quadric::design {
namespace {

study::Study studyOf(std::int64_t factors, const std::string& type)
{
    study::Study study;
    for (std::int64_t i = 0; i < factors; ++i)
        study.factors.push_back({.name = "x" + std::to_string(i), .low = -10.0, .high = 10.0});
    study.design.type = type;
    study.design.centerRuns = usualCenterRuns(study, type);
    return study;
}

void generation(benchmark::State& state, const std::string& type)
{
    const study::Study study = studyOf(state.range(0), type);
    std::size_t runs = 0;
    for (auto _ : state)
        runs = layOut(study).runs.size();
    state.counters["runs"] = static_cast<double>(runs);
}

void preview(benchmark::State& state, const std::string& type)
{
    const study::Study study = studyOf(state.range(0), type);
    for (auto _ : state)
        benchmark::DoNotOptimize(evaluate(layOut(study)));
}

void offers(benchmark::State& state)
{
    const study::Study study = studyOf(state.range(0), {});
    for (auto _ : state)
        benchmark::DoNotOptimize(offersFor(study));
}

void fromThree(benchmark::internal::Benchmark* bench)
{
    for (const std::int64_t factors : {3, 5, 7, 10, 15})
        bench->Arg(factors);
    bench->Unit(benchmark::kMillisecond);
}

void published(benchmark::internal::Benchmark* bench)
{
    for (const std::int64_t factors : {3, 5, 7, 10, 16})
        bench->Arg(factors);
    bench->Unit(benchmark::kMillisecond);
}

void upToSeven(benchmark::internal::Benchmark* bench)
{
    bench->DenseRange(3, 7)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(generation, box_behnken, "box-behnken")->Apply(published);
BENCHMARK_CAPTURE(generation, central_composite, "central-composite")->Apply(fromThree);
BENCHMARK_CAPTURE(generation, full_factorial, "full-factorial")->Apply(fromThree);
BENCHMARK_CAPTURE(generation, fractional_factorial, "fractional-factorial")->Apply(fromThree);
BENCHMARK_CAPTURE(generation, plackett_burman, "plackett-burman")->Apply(fromThree);
BENCHMARK_CAPTURE(generation, definitive_screening, "definitive-screening")->Apply(fromThree);
BENCHMARK_CAPTURE(generation, latin_hypercube, "latin-hypercube")->Apply(fromThree);
BENCHMARK_CAPTURE(preview, box_behnken, "box-behnken")->Apply(upToSeven);
BENCHMARK_CAPTURE(preview, central_composite, "central-composite")->Apply(upToSeven);
BENCHMARK_CAPTURE(preview, definitive_screening, "definitive-screening")->Apply(upToSeven);
BENCHMARK(offers)->DenseRange(2, 8)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace quadric::design
