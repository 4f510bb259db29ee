// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/scaling_forecast.h"

#include "core/model/predict/level_summary.h"
#include "core/plan/spread_draws.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace quadric::plan {

namespace {

/// No law is trusted more than one that is 1 % off.
constexpr double kBestError = 0.01;
/// What a doubling beyond the points is taken to add to the error before any count was left out, and how many
/// errors that counts as.
constexpr double kPriorGrowth = 0.05;
constexpr double kPriorErrors = 2.0;

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
    LawScore score{.law = fitLaw(kind, perNode, points), .heldOutError = absolute / errors};
    const double prior = kPriorErrors * kPriorGrowth * kPriorGrowth;
    score.growth = std::sqrt((growth + prior) / (errors + kPriorErrors));
    score.growthErrors = errors + kPriorErrors;
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

/// The numbers of a draw, before one for each point.
enum DrawnNumber : std::size_t { Law, Error, Growth, Noise, FirstPoint };

/// The law that a share of the weights falls on, in the order of kLaws: the order of merit may change with
/// the last digit of a speed.
const LawScore& lawAt(double share, const std::vector<LawScore>& laws)
{
    const LawScore* last = &laws.front();
    for (const LawKind kind : kLaws) {
        const auto law = std::ranges::find(laws, kind, [](const LawScore& score) { return score.law.kind; });
        if (law == laws.end())
            continue;
        last = &*law;
        if ((share -= law->weight) < 0.0)
            break;
    }
    return *last;
}

/// The law fitted to points that it might have given; its standard deviation is drawn, too (s²ν/χ²).
ScalingLaw drawParameters(const LawScore& score, const std::vector<ScalingPoint>& points,
                          const SpreadDraws& draws, int draw)
{
    constexpr double kMostErrorRatio = 3.0;
    const auto df = std::max<std::ptrdiff_t>(1, std::ssize(points) - score.law.logParameters.size());
    const double ratio = draws.errorOverEstimate(draw, Error, static_cast<double>(df));
    const double sd = score.sd * std::min(kMostErrorRatio, ratio);
    std::vector<ScalingPoint> drawn = points;
    for (std::size_t i = 0; i < drawn.size(); ++i)
        drawn[i].speed =
            score.law.speedAt(drawn[i].count) * std::exp(sd * draws.normal(draw, FirstPoint + i));
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

ForecastModel fitForecast(const std::vector<ScalingPoint>& points, const ForecastOptions& options)
{
    for (const ScalingPoint& point : points)
        if (point.count < 1 || !(point.speed > 0.0))
            throw std::invalid_argument("expected counts of at least 1 and speeds above 0");
    ForecastModel model{.measured = countsOf(points),
                        .confidence = options.confidence,
                        .laws = scoreLaws(points, options.perNode)};
    if (model.laws.empty()) {
        model.message = "Speeds at 3 or more different counts are needed, found " +
                        std::to_string(model.measured.size()) + ".";
        return model;
    }
    const SpreadDraws draws(options.draws, FirstPoint + points.size(), options.seed);
    for (int draw = 0; draw < options.draws; ++draw) {
        const LawScore& score = lawAt(draws.unit(draw, Law), model.laws);
        model.draws.push_back({.law = drawParameters(score, points, draws, draw),
                               .growth = score.growth * draws.student(draw, Growth, score.growthErrors),
                               .noise = score.sd * draws.normal(draw, Noise)});
    }
    return model;
}

std::vector<ForecastRow> forecastAt(const ForecastModel& model, const std::vector<int>& counts)
{
    std::vector<std::vector<double>> drawn(counts.size());
    std::vector<double> beyond; // the points: roots of the doublings
    for (std::size_t i = 0; i < counts.size(); ++i) {
        drawn[i].reserve(model.draws.size());
        beyond.push_back(
            std::sqrt(std::max(0.0, std::log2(static_cast<double>(counts[i]) / model.measured.back()))));
    }
    for (const DrawnLaw& draw : model.draws) {
        const std::vector<double> speeds = draw.law.speedsAt(counts);
        const double among = std::exp(draw.noise); // the points
        for (std::size_t i = 0; i < counts.size(); ++i)
            drawn[i].push_back(speeds[i] *
                               (beyond[i] > 0.0 ? std::exp(draw.noise + draw.growth * beyond[i]) : among));
    }
    const double first = forecastSpeed(model.laws, model.measured.front());
    const double tail = (1.0 - model.confidence) / 2.0;
    std::vector<ForecastRow> rows;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::ranges::sort(drawn[i]);
        const double speed = forecastSpeed(model.laws, counts[i]), speedUp = speed / first;
        rows.push_back(
            {counts[i],
             {speed, model::computeQuantile(drawn[i], tail), model::computeQuantile(drawn[i], 1.0 - tail)},
             speedUp,
             speedUp * model.measured.front() / counts[i],
             std::ranges::binary_search(model.measured, counts[i])});
    }
    return rows;
}

ScalingForecast forecastScaling(const std::vector<ScalingPoint>& points, const std::vector<int>& counts,
                                const ForecastOptions& options)
{
    ForecastModel model = fitForecast(points, options);
    std::vector<ForecastRow> rows;
    if (model.message.empty())
        rows = forecastAt(model, counts);
    return {std::move(model.laws), std::move(rows), std::move(model.message)};
}

double forecastSpeed(const std::vector<LawScore>& laws, int count)
{
    double sum = 0.0;
    for (const LawScore& score : laws)
        sum += score.weight * std::log(score.law.speedAt(count));
    return std::exp(sum);
}

int lastWorthwhile(const std::vector<LawScore>& laws, double worth, int from, int most)
{
    int count = from;
    while (2 * count <= most && forecastSpeed(laws, 2 * count) >= worth * forecastSpeed(laws, count))
        count *= 2;
    return count;
}

} // namespace quadric::plan
