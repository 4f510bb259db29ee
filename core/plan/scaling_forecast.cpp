// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/scaling_forecast.h"

#include "core/model/fit/normal_draws.h"
#include "core/model/predict/level_summary.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace quadric::plan {

namespace {

/// No law is trusted more than one that is 1 % off.
constexpr double kBestError = 0.01;

std::vector<ScalingPoint> upTo(const std::vector<ScalingPoint>& points, int count)
{
    std::vector<ScalingPoint> kept;
    std::ranges::copy_if(points, std::back_inserter(kept),
                         [count](const ScalingPoint& point) { return point.count <= count; });
    return kept;
}

/// How many of the largest counts can be left out so that the law is fitted to the rest; at most half.
int mostLeftOut(LawKind kind, int perNode, const std::vector<ScalingPoint>& points)
{
    const std::vector<int> counts = countsOf(points);
    int most = 0;
    for (std::size_t out = 1; out <= counts.size() / 2; ++out) {
        const std::vector<int> kept = countsOf(upTo(points, counts[counts.size() - out - 1]));
        if (std::ssize(kept) >= parametersOf(kind, perNode))
            most = static_cast<int>(out);
    }
    return most;
}

LawScore scoreLaw(LawKind kind, int perNode, const std::vector<ScalingPoint>& points, int leftOut)
{
    const std::vector<int> counts = countsOf(points);
    double absolute = 0.0, growth = 0.0;
    int errors = 0;
    for (int out = 1; out <= leftOut; ++out) {
        const int largest = counts[counts.size() - static_cast<std::size_t>(out) - 1];
        const ScalingLaw law = fitLaw(kind, perNode, upTo(points, largest));
        for (const ScalingPoint& point : points) {
            if (point.count <= largest)
                continue;
            const double error = std::log(point.speed / law.speedAt(point.count));
            absolute += std::abs(error);
            growth += error * error / std::log2(static_cast<double>(point.count) / largest);
            ++errors;
        }
    }
    LawScore score{fitLaw(kind, perNode, points), absolute / errors, std::sqrt(growth / errors), 0.0, 0.0};
    score.sd = residualSd(score.law, points);
    return score;
}

std::vector<LawScore> scoreLaws(const std::vector<ScalingPoint>& points, int perNode)
{
    std::vector<std::pair<LawKind, int>> usable;
    for (const LawKind kind : kLaws)
        if (const int most = mostLeftOut(kind, perNode, points); most > 0)
            usable.emplace_back(kind, most);
    std::vector<LawScore> scores;
    if (usable.empty())
        return scores;
    const int common = std::ranges::min_element(usable, {}, &std::pair<LawKind, int>::second)->second;
    double total = 0.0;
    for (const auto& [kind, most] : usable) {
        scores.push_back(scoreLaw(kind, perNode, points, common));
        LawScore& score = scores.back();
        score.weight = 1.0 / (score.heldOutError * score.heldOutError + kBestError * kBestError);
        total += score.weight;
    }
    for (LawScore& score : scores)
        score.weight /= total;
    // Of laws that are equally good to a thousandth, the one with the fewest parameters.
    std::ranges::stable_sort(scores, {}, [](const LawScore& score) {
        return std::pair(std::round(score.heldOutError * 1000.0), score.law.logParameters.size());
    });
    return scores;
}

const LawScore& drawLaw(const std::vector<LawScore>& laws, model::RandomBits& random)
{
    double place = model::drawUnit(random);
    for (const LawScore& law : laws)
        if ((place -= law.weight) < 0.0)
            return law;
    return laws.back();
}

/// The law fitted to points that it might have given; its standard deviation is drawn, too (s²ν/χ²).
ScalingLaw drawParameters(const LawScore& score, const std::vector<ScalingPoint>& points,
                          model::RandomBits& random)
{
    const auto df = std::max<std::ptrdiff_t>(1, std::ssize(points) - score.law.logParameters.size());
    double squares = 0.0;
    for (std::ptrdiff_t i = 0; i < df; ++i)
        squares += std::pow(model::drawNormal(random), 2);
    const double sd = score.sd * std::min(3.0, std::sqrt(static_cast<double>(df) / squares));
    std::vector<ScalingPoint> drawn = points;
    for (ScalingPoint& point : drawn)
        point.speed = score.law.speedAt(point.count) * std::exp(sd * model::drawNormal(random));
    ScalingLaw law = score.law;
    refit(law, drawn);
    return law;
}

} // namespace

std::vector<int> countsOf(const std::vector<ScalingPoint>& points)
{
    std::vector<int> counts;
    counts.reserve(points.size());
    for (const ScalingPoint& point : points)
        counts.push_back(point.count);
    std::ranges::sort(counts);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

ScalingForecast forecastScaling(const std::vector<ScalingPoint>& points, const std::vector<int>& counts,
                                const ForecastOptions& options)
{
    for (const ScalingPoint& point : points)
        if (point.count < 1 || !(point.speed > 0.0))
            throw std::invalid_argument("expected counts of at least 1 and speeds above 0");
    ScalingForecast forecast;
    forecast.laws = scoreLaws(points, options.perNode);
    if (forecast.laws.empty()) {
        forecast.message = "Speeds at 3 or more different counts are needed, found " +
                           std::to_string(countsOf(points).size()) + ".";
        return forecast;
    }
    const std::vector<int> measured = countsOf(points);
    model::RandomBits random(options.seed);
    std::vector<std::vector<double>> drawn(counts.size());
    for (int draw = 0; draw < options.draws; ++draw) {
        const LawScore& score = drawLaw(forecast.laws, random);
        const ScalingLaw law = drawParameters(score, points, random);
        const double step = model::drawNormal(random), noise = model::drawNormal(random);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const double doublings =
                std::max(0.0, std::log2(static_cast<double>(counts[i]) / measured.back()));
            const double error = score.sd * noise + score.growth * std::sqrt(doublings) * step;
            drawn[i].push_back(law.speedAt(counts[i]) * std::exp(error));
        }
    }
    const ScalingLaw& best = forecast.laws.front().law;
    const double tail = (1.0 - options.confidence) / 2.0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::ranges::sort(drawn[i]);
        const double speed = best.speedAt(counts[i]), speedUp = speed / best.speedAt(measured.front());
        forecast.rows.push_back(
            {counts[i],
             {speed, model::computeQuantile(drawn[i], tail), model::computeQuantile(drawn[i], 1.0 - tail)},
             speedUp,
             speedUp * measured.front() / counts[i],
             std::ranges::binary_search(measured, counts[i])});
    }
    return forecast;
}

int lastWorthwhile(const ScalingLaw& law, double worth, int from, int most)
{
    int count = from;
    while (2 * count <= most && law.speedAt(2.0 * count) >= worth * law.speedAt(count))
        count *= 2;
    return count;
}

} // namespace quadric::plan
