// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/speed_up.h"

#include "core/model/base/distributions.h"
#include "core/plan/plan_choices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

namespace quadric::plan {

namespace {

constexpr const char* kEfficiency = "scaling_efficiency";
constexpr const char* kSpeedUpName = "speed_up";
constexpr const char* kScalingSetting = "scaling";
constexpr int kSpeedUpPoints = 61;

/// The speed-up of a run is its result times this.
double scaleAt(const SpeedUp& speedUp, const std::string& response, double count)
{
    return response == kEfficiency ? count / (100.0 * speedUp.baseline) : 1.0;
}

double baselineOf(const study::Study& study)
{
    const auto found = study.fixed.find("baseline_ranks");
    const double ranks = found == study.fixed.end() ? 1.0 : study::numberOf(found->second);
    return ranks >= 1.0 ? ranks : 1.0;
}

std::optional<ScalingKind> kindFrom(const study::Settings& settings)
{
    const auto found = settings.find(kScalingSetting);
    if (found == settings.end())
        return std::nullopt;
    const std::string value = study::toText(found->second);
    return value == "weak"     ? std::optional(ScalingKind::Weak)
           : value == "strong" ? std::optional(ScalingKind::Strong)
                               : std::nullopt;
}

void addRuns(const study::Study& study, const std::string& response, SpeedUp& speedUp)
{
    for (const study::Run& run : study.runs) {
        const auto count = run.settings.find(speedUp.factor);
        const auto result = run.results.find(response);
        if (run.status != study::RunStatus::Done || count == run.settings.end() ||
            result == run.results.end() || !(result->second > 0.0))
            continue;
        SpeedUpPoint point{.count = study::numberOf(count->second), .run = run.id, .runs = 1};
        const double scale = scaleAt(speedUp, response, point.count);
        point.speedUp = result->second * scale;
        if (const auto spread = run.spread.find(response); spread != run.spread.end())
            point.interval = model::Interval{point.speedUp - spread->second * scale,
                                             point.speedUp + spread->second * scale};
        speedUp.runs.push_back(point);
    }
    std::ranges::stable_sort(speedUp.runs, {}, &SpeedUpPoint::count);
}

/// The geometric mean of these, with the t interval of the mean of the logarithms.
SpeedUpPoint meanOf(const std::vector<SpeedUpPoint>& runs, double confidence)
{
    const auto n = static_cast<double>(runs.size());
    double sum = 0.0, squares = 0.0;
    for (const SpeedUpPoint& run : runs)
        sum += std::log(run.speedUp);
    for (const SpeedUpPoint& run : runs)
        squares += std::pow(std::log(run.speedUp) - sum / n, 2);
    SpeedUpPoint mean{.count = runs.front().count, .speedUp = std::exp(sum / n), .runs = int(runs.size())};
    if (runs.size() > 1) {
        const double half = model::tLimit(1.0 - confidence, n - 1.0) * std::sqrt(squares / (n - 1.0) / n);
        mean.interval = model::Interval{mean.speedUp * std::exp(-half), mean.speedUp * std::exp(half)};
    } else {
        mean.interval = runs.front().interval;
    }
    return mean;
}

/// The model there; the count is exact, so that it scales mean and interval alike.
SpeedUpPoint modelAt(const model::Fit& fit, const SpeedUp& speedUp, std::size_t factor, study::CodedPoint at,
                     double count)
{
    at[static_cast<Eigen::Index>(factor)] = study::Coding(fit.factors).toCoded(factor, count);
    const model::Prediction prediction = model::predict(fit, at);
    const double scale = scaleAt(speedUp, fit.response, count);
    SpeedUpPoint point{
        .count = count, .speedUp = prediction.mean * scale, .isExtrapolation = prediction.isExtrapolation};
    if (prediction.confidence)
        point.interval =
            model::Interval{prediction.confidence->low * scale, prediction.confidence->high * scale};
    return point;
}

void addModel(const model::Fit& fit, std::size_t factor, const study::CodedPoint& at, SpeedUp& speedUp)
{
    const model::EffectCurve places = model::effectCurve(fit, factor, at, kSpeedUpPoints, model::Span::Runs);
    for (const double count : places.actual)
        speedUp.curve.push_back(modelAt(fit, speedUp, factor, at, count));
    for (SpeedUpPoint& point : speedUp.counts) {
        const int runs = point.runs;
        point = modelAt(fit, speedUp, factor, at, point.count);
        point.runs = runs;
    }
    speedUp.isModeled = true;
}

/// Groups by count, each as its mean.
std::vector<SpeedUpPoint> meansOf(const SpeedUp& speedUp)
{
    std::map<double, std::vector<SpeedUpPoint>> byCount;
    for (const SpeedUpPoint& run : speedUp.runs)
        byCount[run.count].push_back(run);
    std::vector<SpeedUpPoint> means;
    means.reserve(byCount.size());
    for (const auto& [count, runs] : byCount)
        means.push_back(meanOf(runs, speedUp.confidence));
    return means;
}

} // namespace

std::string_view nameOf(ScalingKind kind)
{
    constexpr auto kNames = std::to_array<std::string_view>({"weak", "strong", "either", "unknown"});
    return kNames[static_cast<std::size_t>(kind)];
}

double idealSpeedUp(const SpeedUp& speedUp, double count)
{
    return count / speedUp.baseline;
}

std::string speedUpResponse(const study::Study& study)
{
    for (const char* name : {kEfficiency, kSpeedUpName}) {
        if (study::findResponse(study, name) != nullptr)
            return name;
    }
    return {};
}

ScalingKind scalingOf(const study::Study& study)
{
    if (study::findFactor(study, kScalingSetting) != nullptr)
        return ScalingKind::Either;
    for (const study::Settings* settings : {&study.fixed, &study.benchmark.options}) {
        if (const auto kind = kindFrom(*settings))
            return *kind;
    }
    if (study.benchmark.workload == "builtin")
        return ScalingKind::Weak;
    std::string names; // of all that says how much work there is
    for (const study::Factor& factor : study.factors)
        names += factor.name + '\n';
    for (const auto& [name, value] : study.fixed)
        names += name + '\n';
    const auto hasAny = [&names](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(
            words, [&names](std::string_view word) { return names.find(word) != std::string::npos; });
    };
    if (hasAny({"global_batch", "total_batch", "batch_total"}))
        return ScalingKind::Strong;
    if (hasAny({"per_gpu", "per_rank", "per_device", "micro_batch", "microbatch", "local_batch"}))
        return ScalingKind::Weak;
    return ScalingKind::Unknown;
}

SpeedUp computeSpeedUp(const study::Study& study, const model::Fit& fit, const study::CodedPoint& at)
{
    SpeedUp speedUp;
    const auto factor = countFactorOf(study, {});
    const std::string response = speedUpResponse(study);
    if (!factor || response.empty()) {
        speedUp.message = !factor ? "No factor is the number of GPUs."
                                  : "Speed-ups need the speed of one GPU: add the response "
                                    "scaling_efficiency, then runs measure it.";
        return speedUp;
    }
    speedUp.factor = study.factors[*factor].name;
    speedUp.unit = study.factors[*factor].unit;
    speedUp.isLog2 = study.factors[*factor].scale == study::Scale::Log2;
    speedUp.scaling = scalingOf(study);
    speedUp.baseline = baselineOf(study);
    addRuns(study, response, speedUp);
    speedUp.counts = meansOf(speedUp);
    if (speedUp.runs.empty())
        speedUp.message = "No run has a result of " + response + " yet.";
    else if (fit.isOk() && fit.response == response) {
        speedUp.confidence = fit.confidence;
        addModel(fit, *factor, at, speedUp);
    }
    return speedUp;
}

} // namespace quadric::plan
