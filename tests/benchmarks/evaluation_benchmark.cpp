// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/optimal/optimal.h"

#include <benchmark/benchmark.h>

namespace quadric::design {
namespace {

/// The design that suits this many factors: Box–Behnken where there is one of few runs, else definitive
/// screening; judged for a model that it can hold.
struct Case {
    study::Study study;
    std::string model;
};

Case caseOf(int factors)
{
    Case result;
    for (int i = 0; i < factors; ++i) {
        study::Factor factor;
        factor.name = "x" + std::to_string(i + 1);
        factor.type = study::FactorType::Integer;
        factor.low = 8;
        factor.high = 512;
        factor.scale = study::Scale::Log2;
        result.study.factors.push_back(factor);
    }
    const bool isBoxBehnken = factors <= 7;
    result.study.design.type = isBoxBehnken ? "box-behnken" : "definitive-screening";
    result.study.design.centerRuns = isBoxBehnken ? 6 : 1;
    result.model = isBoxBehnken ? "quadratic" : "linear";
    return result;
}

void generate(benchmark::State& state)
{
    const Case of = caseOf(static_cast<int>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(layOut(of.study));
}
BENCHMARK(generate)->DenseRange(3, 15)->Unit(benchmark::kMillisecond);

/// Everything of evaluate() but the design-space curve.
void evaluateWithoutCurve(benchmark::State& state)
{
    const Case of = caseOf(static_cast<int>(state.range(0)));
    const study::Study laidOut = layOut(of.study);
    for (auto _ : state)
        benchmark::DoNotOptimize(evaluate(laidOut, of.model, {.designSpacePoints = 0}));
}
BENCHMARK(evaluateWithoutCurve)->DenseRange(3, 15)->Unit(benchmark::kMillisecond);

/// What the window does while the user types: lay out, evaluate, 100,000 points of the design space.
void preview(benchmark::State& state)
{
    const Case of = caseOf(static_cast<int>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(evaluate(layOut(of.study), of.model));
}
BENCHMARK(preview)->DenseRange(3, 15)->Unit(benchmark::kMillisecond);

void previewUnderConstraints(benchmark::State& state)
{
    Case of = caseOf(static_cast<int>(state.range(0)));
    of.study.constraints = {"x1 * x2 <= 131072", "x1 % 2 == 0 or x3 < 300"};
    for (auto _ : state)
        benchmark::DoNotOptimize(evaluate(layOut(of.study), of.model));
}
BENCHMARK(previewUnderConstraints)->DenseRange(3, 7)->Unit(benchmark::kMillisecond);

void optimal(benchmark::State& state)
{
    const Case of = caseOf(static_cast<int>(state.range(0)));
    OptimalRequest request;
    request.model = state.range(0) <= 7 ? "quadratic" : "interactions";
    request.criterion = state.range(1) == 0 ? Criterion::D : Criterion::I;
    for (auto _ : state)
        benchmark::DoNotOptimize(optimalDesign(of.study, request));
}
BENCHMARK(optimal)->ArgsProduct({{3, 4, 5, 6, 7}, {0, 1}})->Unit(benchmark::kMillisecond)->Iterations(1);

} // namespace
} // namespace quadric::design
