// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a study of many runs, their results still in the journal in another order, and what `info` says of
// it: aims are 2 s for 40,000 runs, and a time that grows as the runs do (the last lines: BigO N, RMS).
#include "core/report/tables/study_tables.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/study/files/journal.h"
#include "core/study/run_records.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <unistd.h>

namespace quadric::study {
namespace {

Study studyWith(int runs)
{
    Study study;
    study.name = "many runs";
    for (const char* name : {"a", "b", "c"})
        study.factors.push_back({.name = name, .low = -1.0});
    study.responses.push_back({.name = "y"});
    for (int id = 1; id <= runs; ++id) {
        Run run{.id = id, .order = id};
        run.settings = {{"a", id % 3 - 1.0}, {"b", id / 3 % 3 - 1.0}, {"c", id / 9 % 3 - 1.0}};
        study.runs.push_back(std::move(run));
    }
    return study;
}

/// The document with runs that wait, and a journal in which they are done.
std::filesystem::path writeFiles(int runs)
{
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("opening-" + std::to_string(::getpid()) + ".quadric");
    Study study = studyWith(runs);
    std::mt19937 random(1);
    std::ranges::shuffle(study.runs, random);
    saveStudy(study, path);
    std::string lines;
    std::ranges::shuffle(study.runs, random);
    for (Run& run : study.runs) {
        run.status = RunStatus::Done;
        run.results["y"] = run.id % 17;
        lines += writeRun(run) + "\n";
    }
    replaceFile(journalPath(path), lines);
    return path;
}

void opening(benchmark::State& state)
{
    const std::filesystem::path path = writeFiles(static_cast<int>(state.range(0)));
    for ([[maybe_unused]] const auto& _ : state)
        benchmark::DoNotOptimize(loadStudy(path));
    state.SetComplexityN(state.range(0));
    std::filesystem::remove(journalPath(path));
    std::filesystem::remove(path);
}
BENCHMARK(opening)
    ->Arg(10'000)
    ->Arg(20'000)
    ->Arg(40'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

void info(benchmark::State& state)
{
    const Study study = studyWith(static_cast<int>(state.range(0)));
    for ([[maybe_unused]] const auto& _ : state) {
        benchmark::DoNotOptimize(report::makeRunTable(study));
        benchmark::DoNotOptimize(measurementQuality(study));
    }
    state.SetComplexityN(state.range(0));
}
BENCHMARK(info)
    ->Arg(10'000)
    ->Arg(20'000)
    ->Arg(40'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

} // namespace
} // namespace quadric::study
