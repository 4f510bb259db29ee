// SPDX-License-Identifier: GPL-3.0-or-later
// How long the search for the best settings takes: a slider that moves a weight asks for it up to 60 times a
// second.
#include "core/optimize/optimum.h"

#include <benchmark/benchmark.h>

#include <cmath>

namespace quadric::optimize {
namespace {

enum class Factors { Continuous, Listed, Mixed };

study::Factor factorOf(int index, Factors kind)
{
    study::Factor factor;
    factor.name = std::string(1, static_cast<char>('a' + index));
    factor.low = 8;
    factor.high = index == 1 ? 256 : 64;
    const bool isInteger = kind == Factors::Listed || (kind == Factors::Mixed && index < 2);
    factor.type = isInteger ? study::FactorType::Integer : study::FactorType::Continuous;
    return factor;
}

/// A smooth response with curvature and interactions that differ from response to response.
double measured(int response, const Eigen::VectorXd& x)
{
    double sum = 10.0;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        sum += std::sin(1.0 + response + 2.0 * static_cast<double>(i)) * x[i];
        sum -= 0.4 * std::cos(2.0 * response + static_cast<double>(i)) * x[i] * x[i];
        sum += 0.3 * std::sin(response + static_cast<double>(i)) * x[i] * x[(i + 1) % x.size()];
    }
    return sum;
}

/// Runs on the grid of three levels.
study::Study studyOf(int factors, int responses, Factors kind)
{
    study::Study study;
    for (int i = 0; i < factors; ++i)
        study.factors.push_back(factorOf(i, kind));
    for (int i = 0; i < responses; ++i) {
        study::Response response;
        response.name = "y" + std::to_string(i);
        response.goal = i % 2 == 0 ? study::Goal::Maximize : study::Goal::Minimize;
        study.responses.push_back(response);
    }
    const study::Coding coding(study.factors);
    for (int row = 0; row < static_cast<int>(std::pow(3, factors)); ++row) {
        study::CodedPoint point{Eigen::VectorXd(factors)};
        for (int i = 0, rest = row; i < factors; ++i, rest /= 3)
            point[i] = rest % 3 - 1.0;
        study::Run run;
        run.id = run.order = row + 1;
        run.status = study::RunStatus::Done;
        run.settings = coding.toLegalSettings(point);
        for (int i = 0; i < responses; ++i)
            run.results["y" + std::to_string(i)] = measured(i, coding.toCoded(run.settings).x);
        study.runs.push_back(run);
    }
    return study;
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
    bench->Args({3, 2})->Args({3, 4})->Args({5, 4})->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(search, continuous, Factors::Continuous, false)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, continuous_slider, Factors::Continuous, true)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, integers, Factors::Listed, false)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, integers_slider, Factors::Listed, true)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, mixed, Factors::Mixed, false)->Apply(searchSizes);
BENCHMARK_CAPTURE(search, mixed_slider, Factors::Mixed, true)->Apply(searchSizes);
BENCHMARK(assessment)->Unit(benchmark::kMicrosecond);
BENCHMARK(front)->Arg(2)->Arg(4)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace quadric::optimize
