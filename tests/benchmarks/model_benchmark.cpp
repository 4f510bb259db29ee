// SPDX-License-Identifier: GPL-3.0-or-later
// How long fits take: aims are 100 µs for 15 runs and 10 terms and 20 ms for 1,000 runs and 100 terms, with
// everything that is computed from them.
#include "core/model/fit/model_candidates.h"
#include "core/model/predict/canonical.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/cross_validation.h"
#include "core/model/select/model_choice.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/reading.h"

#include <benchmark/benchmark.h>

#include <cmath>

namespace quadric::model {
namespace {

study::Study studyWith(int factors)
{
    study::Study study;
    for (int i = 0; i < factors; ++i) {
        study::Factor factor;
        factor.name = "factor" + std::to_string(i);
        factor.low = 1;
        factor.high = 9;
        study.factors.push_back(factor);
    }
    study.responses.emplace_back().name = "y";
    return study;
}

void addRun(study::Study& study, const Eigen::VectorXd& coded)
{
    study::Run run;
    run.id = run.order = static_cast<int>(study.runs.size()) + 1;
    run.status = study::RunStatus::Done;
    run.settings = study::Coding(study.factors).toSettings(study::CodedPoint(coded));
    double y = 50.0;
    for (Eigen::Index i = 0; i < coded.size(); ++i)
        y += 3 * coded[i] - coded[i] * coded[i] + coded[i] * coded[(i + 1) % coded.size()];
    run.results["y"] = y + 0.3 * std::sin(7.0 * run.id);
    study.runs.push_back(run);
}

/// The 15 runs of a Box–Behnken design in three factors: a quadratic model has 10 terms.
study::Study smallStudy()
{
    study::Study study = studyWith(3);
    for (Eigen::Index skipped = 2; skipped >= 0; --skipped) {
        for (int corner = 0; corner < 4; ++corner) {
            Eigen::Vector3d point = Eigen::Vector3d::Zero();
            point[skipped == 0 ? 1 : 0] = (corner & 1) != 0 ? 1 : -1;
            point[skipped == 2 ? 1 : 2] = (corner & 2) != 0 ? 1 : -1;
            addRun(study, point);
        }
    }
    for (int i = 0; i < 3; ++i)
        addRun(study, Eigen::Vector3d::Zero());
    return study;
}

/// 1,000 runs of 13 factors in a low-discrepancy order: a quadratic model has 105 terms.
study::Study largeStudy()
{
    study::Study study = studyWith(13);
    Eigen::VectorXd point(13);
    for (int run = 0; run < 1000; ++run) {
        for (Eigen::Index i = 0; i < point.size(); ++i)
            point[i] = 2 * std::fmod((run + 1) * std::sqrt(2.0 + 3.0 * static_cast<double>(i)), 1.0) - 1;
        addRun(study, point);
    }
    return study;
}

study::Study studyOf(const benchmark::State& state)
{
    return state.range(0) == 15 ? smallStudy() : largeStudy();
}

void sizes(benchmark::internal::Benchmark* bench)
{
    bench->Arg(15)->Arg(1000)->Unit(benchmark::kMicrosecond);
}

/// Coefficients, intervals, ANOVA, effects, importance, diagnostics, checks of the residuals, warnings.
void fit(benchmark::State& state)
{
    const study::Study study = studyOf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(fitResponse(study, "y"));
}

/// A fit with all that `analyze` and the Explore page ask of it.
void wholeAnalysis(benchmark::State& state)
{
    const study::Study study = studyOf(state);
    const study::CodedPoint center = study::Coding(study.factors).center();
    for (auto _ : state) {
        const Fit result = fitResponse(study, "y");
        benchmark::DoNotOptimize(canonicalAnalysis(result, center));
        benchmark::DoNotOptimize(ridgePath(result, Direction::Ascent, center, evenRadii()));
        benchmark::DoNotOptimize(boxCox(result));
        benchmark::DoNotOptimize(compareOrders(result));
        benchmark::DoNotOptimize(crossValidate(result, 5));
        benchmark::DoNotOptimize(report::readAnova(result));
        benchmark::DoNotOptimize(report::readCoefficients(result));
    }
}

void automaticModel(benchmark::State& state)
{
    const study::Study study = studyOf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(fitResponse(study, "y", {.model = "auto"}));
}

void scales(benchmark::State& state)
{
    study::Study study = studyOf(state);
    study.model.clear();
    for (auto _ : state)
        benchmark::DoNotOptimize(withChosenModels(study));
}

void surface(benchmark::State& state)
{
    const study::Study study = smallStudy();
    const Fit result = fitResponse(study, "y");
    const study::CodedPoint center = study::Coding(study.factors).center();
    for (auto _ : state)
        benchmark::DoNotOptimize(surfaceGrid(result, study, 0, 1, center, 61));
}

BENCHMARK(fit)->Apply(sizes);
BENCHMARK(wholeAnalysis)->Apply(sizes);
BENCHMARK(automaticModel)->Apply(sizes);
BENCHMARK(scales)->Apply(sizes);
BENCHMARK(surface)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace quadric::model
