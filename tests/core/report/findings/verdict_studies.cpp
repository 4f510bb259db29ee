// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdict_studies.h"

#include <functional>

namespace quadric::report::test {

namespace {

/// Errors without pattern that replicates do not share.
constexpr double kErrors[] = {0.3, -0.8, 1.1,  0.2, -0.4, 0.6, -1.2, 0.1, -0.5,
                              0.9, 0.4,  -0.7, 0.2, -0.3, 1.0, -0.6, 0.5, -0.8};

/// The 3 × 3 grid of A and B, `repeats` times, with y = f(A, B, error).
study::Study gridStudy(const std::string& model, int repeats,
                       const std::function<double(double, double, double)>& f)
{
    study::Study study;
    study.name = "grid";
    study.factors = {{.name = "A", .low = -1, .high = 1}, {.name = "B", .low = -1, .high = 1}};
    study.responses = {{.name = "y"}};
    study.model = {{"y", model}};
    study.benchmark.workload = "none";
    for (int repeat = 0; repeat < repeats; ++repeat)
        for (const double a : {-1.0, 0.0, 1.0})
            for (const double b : {-1.0, 0.0, 1.0}) {
                study::Run run;
                run.id = run.order = static_cast<int>(study.runs.size()) + 1;
                run.settings = {{"A", a}, {"B", b}};
                run.status = study::RunStatus::Done;
                run.results = {{"y", f(a, b, kErrors[study.runs.size() % std::size(kErrors)])}};
                run.provenance.source = study::Source::Measured;
                study.runs.push_back(run);
            }
    return study;
}

} // namespace

std::vector<VerdictStudy> verdictStudies()
{
    const auto line = [](double a, double b, double e) { return 10 + 3 * a + b + 0.2 * e; };
    std::vector<VerdictStudy> studies{
        {"good", gridStudy("linear", 2, line), "good", "prediction"},
        {"no replicates", gridStudy("linear", 1, line), "fair", "no-replicates"},
        {"rough", gridStudy("linear", 2, [](double a, double b, double e) { return 10 + 1.5 * a + b + e; }),
         "fair", "fair-prediction"},
        {"a little bent",
         gridStudy("linear", 2, [&](double a, double b, double e) { return line(a, b, e) + a * a; }), "good",
         "prediction"},
        {"bent",
         gridStudy("linear", 2, [&](double a, double b, double e) { return line(a, b, e) + 4 * a * a; }),
         "fair", "fair-prediction"},
        {"noise", gridStudy("quadratic", 2, [](double, double, double e) { return 5 + e; }), "poor",
         "poor-prediction"},
        {"constant", gridStudy("linear", 2, [](double, double, double) { return 3.0; }), "poor",
         "constant-response"},
        {"exact", gridStudy("linear", 1, [](double a, double b, double) { return 10 + 3 * a + b; }), "fair",
         "no-residual-error"},
        {"equal replicates",
         gridStudy("linear", 2, [](double a, double b, double) { return 10 + 3 * a + b + 0.1 * a * b; }),
         "fair", "zero-pure-error"}};
    study::Study few = gridStudy("A + B + A*B", 1, line);
    std::erase_if(few.runs, [](const study::Run& run) { return run.id % 2 == 0 && run.id < 8; });
    studies.push_back({"few degrees of freedom", few, "fair", "few-residual-df"});
    std::erase_if(few.runs, [](const study::Run& run) { return run.id == 5 || run.id == 8; });
    studies.push_back({"saturated", few, "poor", "few-residual-df"});
    for (VerdictStudy& each : studies)
        each.study.name = each.name;
    return studies;
}

} // namespace quadric::report::test
