// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/design/base/design.h"
#include "core/model/predict/predict.h"
#include "core/model/select/model_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace quadric::answers {

namespace {

constexpr int kSettings = 20; ///< that are asked for in each study
constexpr double kHarmless = 0.01;

double drawBetween(Random& random, double low, double high)
{
    return low * std::pow(high / low, drawUniform(random, 0.0, 1.0));
}

/// A machine: what it does at three settings, and how they are called.
struct Machine {
    std::vector<study::Factor> factors;
    std::string unit;
    std::function<double(double, double, double)> at;
};

study::Factor makeCount(const std::string& name, double low, double high)
{
    return {.name = name, .type = study::FactorType::Integer, .low = low, .high = high};
}

study::Factor drawCount(Random& random, const std::string& name)
{
    constexpr std::array<std::array<double, 2>, 5> kRanges{
        {{8.0, 64.0}, {2.0, 16.0}, {4.0, 64.0}, {32.0, 256.0}, {16.0, 512.0}}};
    const auto [low, high] = kRanges[random() % kRanges.size()];
    return makeCount(name, low, high);
}

const study::Factor kCompression{.name = "c", .low = 0.0, .high = 90.0};

/// The formula of the first example: per-GPU speed by a power of the batch, overhead by the count.
Machine drawOverhead(Random& random)
{
    const double power = drawUniform(random, 0.4, 0.9), overhead = drawBetween(random, 5e-4, 1e-2);
    return {{drawCount(random, "a"), drawCount(random, "b"), kCompression},
            "img/s",
            [=](double a, double b, double c) {
                return 320.0 * std::pow(b / 128.0, power) * a /
                       (1.0 + overhead * (a - 1.0) * (1.0 - c / 150.0));
            }};
}

/// Saturation by the batch, the universal scalability law by the count, workers that feed.
Machine drawSaturation(Random& random)
{
    const study::Factor batch = drawCount(random, "b");
    const double half = drawBetween(random, 0.2 * batch.low, 0.6 * batch.high),
                 contention = drawBetween(random, 5e-4, 3e-2), coherency = drawBetween(random, 1e-6, 3e-4),
                 feeding = drawBetween(random, 0.3, 6.0);
    return {{drawCount(random, "a"), batch, makeCount("c", 1.0, 16.0)},
            "tok/s",
            [=](double a, double b, double c) {
                return 1e4 * b / (b + half) * a / (1.0 + contention * (a - 1.0) + coherency * a * (a - 1.0)) *
                       c / (c + feeding);
            }};
}

/// Computing, and a ring that is not hidden behind it; `unit` "s": the time of a million images.
Machine drawRing(Random& random, const std::string& unit)
{
    const double fixed = drawBetween(random, 2e-3, 2e-2), image = drawBetween(random, 1e-4, 1e-3),
                 bytes = drawBetween(random, 2e-3, 0.2), latency = drawBetween(random, 1e-5, 1e-3);
    return {{drawCount(random, "a"), drawCount(random, "b"), kCompression},
            unit,
            [=](double a, double b, double c) {
                const double step =
                    fixed + image * b + 2.0 * (a - 1.0) / a * bytes * (1.0 - c / 100.0) + latency * (a - 1.0);
                return unit == "s" ? 1e6 * step / (a * b) : a * b / step;
            }};
}

Machine drawEfficiency(Random& random)
{
    const double overhead = drawBetween(random, 1e-3, 2e-2);
    return {{drawCount(random, "a"), drawCount(random, "b"), kCompression},
            "%",
            [=](double a, double b, double c) {
                return 100.0 / (1.0 + overhead * (a - 1.0) * (1.0 - c / 150.0) * std::pow(256.0 / b, 0.3));
            }};
}

/// Weights in shards, activations by batch and sequence.
Machine drawMemory(Random& random)
{
    const double weights = drawUniform(random, 1.0, 20.0), activation = drawBetween(random, 1e-5, 2e-4);
    return {{makeCount("a", 8.0, 64.0), makeCount("b", 512.0, 4096.0), makeCount("c", 1.0, 8.0)},
            "GiB",
            [=](double a, double b, double c) { return weights / c + activation * a * b; }};
}

/// A quadratic of its factors, which no logarithm suits.
Machine drawSum(Random& random)
{
    const auto truth = std::make_shared<Truth>(drawTruth(random, 3, 0.13));
    truth->constant = 1.0;
    study::Factor factor{.name = "a", .low = -1.0, .high = 1.0};
    std::vector<study::Factor> factors(3, factor);
    factors[1].name = "b";
    factors[2].name = "c";
    return {factors, "", [truth](double a, double b, double c) {
                return 1e3 * truth->at(study::CodedPoint(Eigen::Vector3d(a, b, c)));
            }};
}

Machine drawMachine(Random& random, int kind)
{
    switch (kind % 7) {
    case 0:
        return drawOverhead(random);
    case 1:
        return drawSaturation(random);
    case 2:
        return drawRing(random, "img/s");
    case 3:
        return drawRing(random, "s");
    case 4:
        return drawEfficiency(random);
    case 5:
        return drawMemory(random);
    default:
        return drawSum(random);
    }
}

double truthAt(const Machine& machine, const study::Settings& settings)
{
    const auto value = [&](std::size_t i) { return study::numberOf(settings.at(machine.factors[i].name)); };
    return machine.at(value(0), value(1), value(2));
}

enum class Noise { None, Multiplied, Added };

/// Fifteen runs, laid out on linear scales or on those that multiply.
study::Study measure(const Machine& machine, Noise noise, bool isOnLog2, Random& random)
{
    study::Study study;
    study.factors = machine.factors;
    for (study::Factor& factor : study.factors)
        if (isOnLog2 && factor.low > 0.0)
            factor.scale = study::Scale::Log2;
    study.responses = {{.name = "y", .unit = machine.unit}};
    study.design = {.type = "box-behnken"};
    study = design::layOut(study);
    double sum = 0.0;
    for (study::Run& run : study.runs)
        sum += run.results["y"] = truthAt(machine, run.settings);
    for (study::Run& run : study.runs) {
        run.status = study::RunStatus::Done;
        if (noise == Noise::Multiplied)
            run.results["y"] *= std::exp(0.01 * drawNormal(random));
        if (noise == Noise::Added)
            run.results["y"] += 0.01 * sum / static_cast<double>(study.runs.size()) * drawNormal(random);
    }
    return study;
}

struct Held {
    int asked = 0, supported = 0, held = 0, impossible = 0;
};

void ask(const Machine& machine, const study::Study& measured, Random& random, Held& count)
{
    const study::Study study = model::withChosenModels(measured);
    const model::Fit fit = model::fitStudy(study).front();
    const study::Coding coding(study.factors), linear(machine.factors);
    for (int i = 0; i < kSettings; ++i) {
        Eigen::VectorXd x(3);
        for (double& each : x)
            each = drawUniform(random, -1.0, 1.0);
        const study::Settings settings = (i % 2 == 0 ? linear : coding).toLegalSettings(study::CodedPoint(x));
        const model::Prediction at = model::predict(fit, coding.toCoded(settings));
        const double truth = truthAt(machine, settings), slack = kHarmless * std::abs(truth);
        ++count.asked;
        const bool isPercent = machine.unit == "%"; // noise can measure a little more than 100
        const double most = isPercent ? std::max(100.0, fit.largestObserved) : HUGE_VAL;
        const auto isPossible = [&](double value) { return value >= 0.0 && value <= most; };
        const bool areEndsPossible =
            !at.prediction || (isPossible(at.prediction->low) && isPossible(at.prediction->high));
        count.impossible += !machine.unit.empty() && !(isPossible(at.mean) && areEndsPossible);
        if (at.isExtrapolation)
            continue;
        ++count.supported;
        count.held +=
            at.prediction && truth >= at.prediction->low - slack && truth <= at.prediction->high + slack;
    }
}

} // namespace

std::vector<Claim> simulateSurfaces(int studies)
{
    std::vector<Claim> claims;
    constexpr std::array<const char*, 3> kNoises{"no noise", "1 % of the value", "1 % of the mean"};
    Held all;
    for (const Noise noise : {Noise::None, Noise::Multiplied, Noise::Added}) {
        Random random(21);
        Held count;
        for (int i = 0; i < studies; ++i) {
            const Machine machine = drawMachine(random, i);
            ask(machine, measure(machine, noise, i % 2 == 0, random), random, count);
        }
        claims.push_back(
            makeShare(std::string("A machine's surface, 15 runs: the 95 % interval of a new run holds the "
                                  "truth or misses it by less than 1 %, noise: ") +
                          kNoises[static_cast<std::size_t>(noise)],
                      count.held, count.supported, 0.93, 1.0));
        all.asked += count.asked;
        all.supported += count.supported;
        all.impossible += count.impossible;
    }
    claims.push_back(
        makeShare("A machine's surface, 15 runs: settings in the ranges that are not called extrapolation",
                  all.supported, all.asked, 0.75, 1.0));
    claims.push_back(makeShare("A machine's surface, 15 runs: nothing impossible is predicted",
                               all.asked - all.impossible, all.asked, 1.0, 1.0));
    return claims;
}

} // namespace quadric::answers
