// SPDX-License-Identifier: GPL-3.0-or-later
// How long designs take from 3 to 15 factors. The wizard lays out and judges one while the user types: 50 ms
// for 3 to 7 factors.
#include "core/design/evaluate/offers.h"
#include "core/design/optimal/optimal.h"

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

/// Everything of evaluate() but the design-space curve.
void evaluateWithoutCurve(benchmark::State& state)
{
    const study::Study laidOut = layOut(studyOf(state.range(0), "box-behnken"));
    for (auto _ : state)
        benchmark::DoNotOptimize(evaluate(laidOut, "quadratic", {.designSpacePoints = 0}));
}

void previewUnderConstraints(benchmark::State& state)
{
    study::Study study = studyOf(state.range(0), "box-behnken");
    study.constraints = {"x0 * x1 <= 50", "x0 + x1 < 12 or x2 < 3"};
    for (auto _ : state)
        benchmark::DoNotOptimize(evaluate(layOut(study)));
}

void optimal(benchmark::State& state)
{
    const study::Study study = studyOf(state.range(0), "i-optimal");
    for (auto _ : state)
        benchmark::DoNotOptimize(
            optimalDesign(study, {.criterion = state.range(1) == 0 ? Criterion::D : Criterion::I}));
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
BENCHMARK(evaluateWithoutCurve)->Apply(upToSeven);
BENCHMARK(previewUnderConstraints)->Apply(upToSeven);
BENCHMARK(optimal)->ArgsProduct({{3, 4, 5, 6, 7}, {0, 1}})->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(offers)->DenseRange(2, 8)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace quadric::design
