// SPDX-License-Identifier: GPL-3.0-or-later
// How long the choice of the next run takes after 50 runs of six factors, a third of which failed; beside it
// what comes before it, the fit of the processes and of what gives a result.
#include "core/model/feasibility/feasibility.h"
#include "core/optimize/next/run_plan.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

namespace quadric::optimize {
namespace {

constexpr int kFactors = 6;
constexpr int kRuns = 50;

/// What is known of memory beside that a run failed.
enum class Told { Nothing, Peaks, Estimates };

double memoryAt(const study::CodedPoint& point)
{
    return std::exp(0.9 * point.x[0] + 0.7 * point.x[1] * point.x[2] + 0.4 * point.x[3] +
                    0.3 * point.x.squaredNorm() - 0.8);
}

study::Study studyOf(Told told, int responses)
{
    study::Study study;
    for (int i = 0; i < kFactors; ++i) {
        study::Factor factor;
        factor.name = std::string(1, static_cast<char>('a' + i));
        factor.low = -1.0;
        factor.high = 1.0;
        study.factors.push_back(factor);
    }
    for (int i = 0; i < responses; ++i)
        study.responses.push_back({.name = "y" + std::to_string(i + 1)});
    std::mt19937_64 random(9);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::normal_distribution<double> normal;
    const study::Coding coding(study.factors);
    for (int run = 0; run < kRuns; ++run) {
        study::CodedPoint point = coding.center();
        for (double& x : point.x)
            x = uniform(random);
        study = study::withRuns(study, {coding.toSettings(point)}, study::RunKind::Design);
        study::Run& last = study.runs.back();
        const double memory = memoryAt(point);
        if (told == Told::Estimates)
            last.provenance.memoryEstimateMib = 1000.0 * memory * std::exp(0.1 * normal(random));
        if (memory > 1.0) {
            last.status = study::RunStatus::Failed;
            last.failure = study::Failure{"out-of-memory", ""};
            continue;
        }
        last.status = study::RunStatus::Done;
        for (int i = 0; i < responses; ++i)
            last.results["y" + std::to_string(i + 1)] =
                100.0 + 20.0 * std::exp(-(point.x.array() - 0.2 * i).square().sum()) + normal(random);
        if (told == Told::Peaks)
            last.results["memory_peak_mib"] = 1000.0 * memory * std::exp(0.01 * normal(random));
    }
    return study;
}

void chooseNext(benchmark::State& state, Told told, int responses)
{
    const study::Study study = studyOf(told, responses);
    const std::vector<model::Process> processes = model::fitProcesses(study);
    PlanOptions options;
    options.most = 1;
    options.leastGain = 0.0;
    model::feasibilityOf(study);
    for (auto _ : state)
        benchmark::DoNotOptimize(planRuns(study, processes, options));
    const auto feasibility = model::feasibilityOf(study);
    state.SetLabel(std::string(nameOf(feasibility->method())));
    state.counters["failed"] = feasibility->outcomes().countFailed();
}

void fitProcess(benchmark::State& state)
{
    const study::Study study = studyOf(Told::Nothing, 1);
    for (auto _ : state)
        benchmark::DoNotOptimize(model::fitProcess(study, "y1"));
}

void learnWhatRuns(benchmark::State& state, Told told)
{
    const study::Study study = studyOf(told, 1);
    for (auto _ : state)
        benchmark::DoNotOptimize(model::Feasibility(study).hasFailures());
}

BENCHMARK_CAPTURE(chooseNext, outcomes alone, Told::Nothing, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(chooseNext, peaks told, Told::Peaks, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(chooseNext, estimates told, Told::Estimates, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(chooseNext, two responses, Told::Estimates, 2)->Unit(benchmark::kMillisecond);
BENCHMARK(fitProcess)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(learnWhatRuns, outcomes alone, Told::Nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(learnWhatRuns, estimates told, Told::Estimates)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace quadric::optimize
