// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_studies.h"

#include "command_fixture.h"

#include <array>
#include <cmath>

namespace quadric::test {

namespace {

/// Noise that is the same on every machine: the fractional part of a multiple of the golden ratio, −½ … ½.
double noise(int index)
{
    const double part = index * 0.6180339887498949;
    return part - std::floor(part) - 0.5;
}

std::array<double, 5> codedOf(const study::Study& study, const study::Run& run)
{
    const study::Coding coding(study.factors);
    std::array<double, 5> x{};
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = coding.toCoded(i, study::numberOf(run.settings.at(study.factors[i].name)));
    return x;
}

void measure(const study::Study& study, study::Run& run)
{
    const auto [a, b, c, d, e] = codedOf(study, run);
    const int seed = run.id * 4;
    run.status = study::RunStatus::Done;
    run.results["throughput"] = 21000 + 5200 * a + 1900 * b - 800 * c + 1300 * a * b - 2400 * a * a -
                                900 * b * b + 350 * d + 600 * noise(seed);
    run.results["latency"] =
        std::exp(3.1 + 0.55 * b - 0.3 * a + 0.12 * e + 0.2 * b * b + 0.06 * noise(seed + 1));
    run.results["energy"] = 410 + 38 * a + 14 * e + 9 * d * e + 7 * noise(seed + 2);
    run.results["accuracy"] = 76.2 - 0.8 * b - 0.35 * c * c + 0.25 * noise(seed + 3);
    for (const auto& [name, value] : run.results)
        run.spread[name] = 0.004 * value * (1.5 + noise(seed + 5));
    run.provenance.source = study::Source::Measured;
    run.provenance.spreadIs = "half width of the 95 % interval";
    study::setProvenanceFact(run.provenance, "device", R"({"name": "Test device", "driver": "550.1"})");
    run.provenance.disturbed = false;
}

study::Run confirmationRun(const study::Study& study, int id)
{
    study::Run run;
    run.id = run.order = id;
    run.kind = study::RunKind::Confirmation;
    for (const study::Factor& factor : study.factors)
        run.settings[factor.name] = factor.high;
    run.settings["pipeline_depth"] = 4.0;
    return run;
}

} // namespace

study::Study fiveFactors()
{
    study::Study study;
    study.name = "Five factors, four responses";
    study.description = "How should the cluster be set up for the nightly training?";
    study.factors = {numericFactor("gpu_count", 4, 64), numericFactor("batch_per_gpu", 32, 256),
                     numericFactor("bucket_mib", 1, 25), numericFactor("pipeline_depth", 2, 6),
                     numericFactor("clock_mhz", 1200, 1900)};
    study.factors[0].scale = study::Scale::Log2;
    study.factors[1].unit = "images";
    study.factors[4].unit = "MHz";
    study.responses = {response("throughput"), response("latency"), response("energy"), response("accuracy")};
    study.responses[0].unit = "img/s";
    study.responses[1].unit = "ms";
    study.responses[1].goal = study::Goal::Minimize;
    study.responses[1].transform = {study::TransformKind::Log, 1.0};
    study.responses[2].unit = "W";
    study.responses[2].goal = study::Goal::Minimize;
    study.responses[2].weight = 0.5;
    study.responses[3].unit = "%";
    study.responses[3].goal = study::Goal::Target;
    study.responses[3].target = 76.5;
    study.benchmark.workload = "none";
    study.design.type = "box-behnken";
    return study;
}

study::Study finished(study::Study study)
{
    for (study::Run& run : study.runs)
        measure(study, run);
    study::Run& disturbed = study.runs[4];
    disturbed.provenance.disturbed = true;
    disturbed.provenance.disturbedBecause = "other processes used 23 % of the machine";
    disturbed.provenance.telemetry = {.devices = {{.throttledPct = {{"power", 12.5}}}}};
    study::Run& failed = study.runs[9];
    failed.status = study::RunStatus::Failed;
    failed.failure = study::Failure{"out-of-memory", "needs 71 GiB, 40 GiB are there"};
    failed.results.clear();
    failed.spread.clear();
    study.runs[17].status = study::RunStatus::Excluded;
    study.runs[17].reason = "the network was down";
    for (int i = 0; i < 3; ++i) {
        study.runs.push_back(confirmationRun(study, static_cast<int>(study.runs.size()) + 1));
        measure(study, study.runs.back());
    }
    return study;
}

study::Study manyResponses(int factors, int responses)
{
    study::Study study;
    study.name = "many";
    study.description = "How fast, how long, how much: every response depends on every factor.";
    for (int i = 1; i <= factors; ++i)
        study.factors.push_back({.name = "x" + std::to_string(i), .low = 10, .high = 50});
    for (int i = 1; i <= responses; ++i) {
        study.responses.push_back({.name = "y" + std::to_string(i)});
        study.responses.back().goal = i % 2 == 0 ? study::Goal::Minimize : study::Goal::Maximize;
    }
    study.benchmark.workload = "none";
    return study;
}

study::Study measuredByFormula(study::Study study)
{
    for (study::Run& run : study.runs) {
        int of = 0;
        for (const study::Response& response : study.responses) {
            ++of;
            double y = 100.0 + noise(run.id * 7 + of);
            int factor = 0;
            for (const auto& [name, value] : run.settings) {
                const double x = (std::get<double>(value) - 30.0) / 20.0;
                ++factor;
                y += 10.0 / factor * x * (of % 2 == 0 ? 1.0 : 2.0) - 0.5 * of * x * x;
            }
            run.results[response.name] = y;
        }
        run.status = study::RunStatus::Done;
        run.provenance.source = study::Source::Measured;
    }
    return study;
}

} // namespace quadric::test
