// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/scaling_forecast.h"

#include "core/model/base/distributions.h"
#include "core/model/predict/curves.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/random/sobol.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>

namespace quadric::plan {

namespace {

/// Without promotion to long double, which takes twice as long for digits that draws do not need.
using Fast = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// No law is trusted more than one that is 1 % off.
constexpr double kBestError = 0.01;
/// What a doubling beyond the points is taken to add to the error before any count was left out, and how many
/// errors that counts as.
constexpr double kPriorGrowth = 0.05;
constexpr double kPriorErrors = 2.0;

std::vector<ScalingPoint> pointsUpTo(const std::vector<ScalingPoint>& points, int count)
{
    std::vector<ScalingPoint> kept;
    std::ranges::copy_if(points, std::back_inserter(kept),
                         [count](const ScalingPoint& point) { return point.count <= count; });
    return kept;
}

/// How many of the largest counts can be left out so that the law is fitted to the rest; at most half.
int mostLeftOut(LawKind kind, int perNode, const std::vector<ScalingPoint>& points)
{
    const auto counts = static_cast<int>(distinctCounts(points).size());
    return std::max(0, std::min(counts / 2, counts - parametersOf(kind, perNode)));
}

LawScore scoreLaw(LawKind kind, int perNode, const std::vector<ScalingPoint>& points, int leftOut)
{
    const std::vector<int> counts = distinctCounts(points);
    double absolute = 0.0, growth = 0.0;
    int errors = 0;
    for (int out = 1; out <= leftOut; ++out) {
        const int largest = counts[counts.size() - static_cast<std::size_t>(out) - 1];
        const ScalingLaw law = fitLaw(kind, perNode, pointsUpTo(points, largest));
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
    std::vector<LawKind> usable;
    int common = std::numeric_limits<int>::max();
    for (const LawKind kind : kLaws)
        if (const int most = mostLeftOut(kind, perNode, points); most > 0) {
            usable.push_back(kind);
            common = std::min(common, most);
        }
    std::vector<LawScore> scores;
    double total = 0.0;
    for (const LawKind kind : usable) {
        LawScore& score = scores.emplace_back(scoreLaw(kind, perNode, points, common));
        score.weight = 1.0 / (score.heldOutError * score.heldOutError + kBestError * kBestError);
        total += score.weight;
    }
    for (LawScore& score : scores)
        score.weight /= total;
    // Of laws that are equally good to a thousandth, the one with the fewest parameters.
    std::ranges::stable_sort(scores, {}, [](const LawScore& score) {
        return std::pair(std::round(score.heldOutError * 1000.0), score.law.parameters.size());
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
    const auto df = std::max<std::ptrdiff_t>(1, std::ssize(points) - score.law.parameters.size());
    const double ratio = draws.errorOverEstimate(draw, Error, static_cast<double>(df));
    const double sd = score.sd * std::min(kMostErrorRatio, ratio);
    std::vector<ScalingPoint> drawn = points;
    for (std::size_t i = 0; i < drawn.size(); ++i)
        drawn[i].speed =
            score.law.speedAt(drawn[i].count) * std::exp(sd * draws.normal(draw, FirstPoint + i));
    return fitLaw(score.law.kind, score.law.perNode, drawn);
}

/// What all laws together predict: the mean of the logarithms of their speeds, by their weights.
double forecastSpeed(const std::vector<LawScore>& laws, int count)
{
    double sum = 0.0;
    for (const LawScore& score : laws)
        sum += score.weight * std::log(score.law.speedAt(count));
    return std::exp(sum);
}

constexpr int kPointsAnOctave = 8;
constexpr double kHourSecondsOfGpu = 3600.0;
constexpr double kMillion = 1e6;

void sortOnce(std::vector<int>& counts)
{
    std::ranges::sort(counts);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
}

/// As far as they are whole numbers of this size.
std::vector<int> doublingsBeyond(int largest, int doublings)
{
    std::vector<int> counts;
    for (int i = 1; i <= doublings && largest <= std::numeric_limits<int>::max() >> i; ++i)
        counts.push_back(largest << i);
    return counts;
}

/// Whole numbers, evenly on a logarithmic scale, and these.
std::vector<int> curveCounts(const std::vector<int>& counts)
{
    std::vector<int> all = counts;
    const double low = std::log2(counts.front()), high = std::log2(counts.back());
    const int steps = std::max(1, static_cast<int>(std::ceil((high - low) * kPointsAnOctave)));
    for (int i = 0; i <= steps; ++i)
        all.push_back(static_cast<int>(std::lround(std::exp2(low + (high - low) * i / steps))));
    sortOnce(all);
    return all;
}

} // namespace

SpreadDraws::SpreadDraws(int draws, std::size_t numbers, std::uint64_t seed)
    : m_numbers(numbers)
{
    constexpr double kUnitStep = 0x1p-53;
    model::RandomBits random(seed);
    std::vector<double> shifts(numbers);
    std::ranges::generate(shifts, [&random] { return model::drawUnit(random); });
    boost::random::sobol points(numbers);
    m_units.reserve(static_cast<std::size_t>(draws) * numbers);
    for (int draw = 0; draw < draws; ++draw) {
        for (const double shift : shifts) {
            const double place = static_cast<double>(points() >> 11U) * kUnitStep + shift;
            m_units.push_back(std::clamp(place - std::floor(place), kUnitStep, 1.0 - kUnitStep));
        }
    }
}

double SpreadDraws::unit(int draw, std::size_t number) const
{
    return m_units[static_cast<std::size_t>(draw) * m_numbers + number];
}

double SpreadDraws::normal(int draw, std::size_t number) const
{
    return model::normalQuantile(unit(draw, number));
}

double SpreadDraws::student(int draw, std::size_t number, double df) const
{
    return boost::math::quantile(boost::math::students_t_distribution<double, Fast>(df), unit(draw, number));
}

double SpreadDraws::errorOverEstimate(int draw, std::size_t number, double df) const
{
    return std::sqrt(df / boost::math::quantile(boost::math::chi_squared_distribution<double, Fast>(df),
                                                unit(draw, number)));
}

std::vector<int> distinctCounts(const std::vector<ScalingPoint>& points)
{
    std::vector<int> counts;
    counts.reserve(points.size());
    for (const ScalingPoint& point : points)
        counts.push_back(point.count);
    sortOnce(counts);
    return counts;
}

ForecastModel fitForecast(const std::vector<ScalingPoint>& points, const ForecastOptions& options)
{
    for (const ScalingPoint& point : points)
        if (point.count < 1 || !(point.speed > 0.0))
            throw std::invalid_argument("expected counts of at least 1 and speeds above 0");
    ForecastModel model{.measured = distinctCounts(points)};
    // What is measured inside one node tells nothing of a network between nodes: all links count as alike.
    const bool hasNodes = !model.measured.empty() && model.measured.back() > options.perNode;
    model.laws = scoreLaws(points, hasNodes ? options.perNode : 1);
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
        for (std::size_t i = 0; i < counts.size(); ++i)
            drawn[i].push_back(draw.law.speedAt(counts[i]) * std::exp(draw.noise + draw.growth * beyond[i]));
    }
    const double first = forecastSpeed(model.laws, model.measured.front());
    const double tail = (1.0 - kForecastConfidence) / 2.0;
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

int lastWorthwhile(const std::vector<LawScore>& laws, double worth, int from, int most)
{
    int count = from;
    while (count <= most / 2 && forecastSpeed(laws, 2 * count) >= worth * forecastSpeed(laws, count))
        count *= 2;
    return count;
}

std::optional<study::NodeSize> plannedNode(const study::Study& study, std::size_t factor,
                                           const study::Settings& settings)
{
    const study::Factor& count = study.factors[factor];
    const bool countsRanks = &count == study::rankFactorOf(study) || study::hasUnitGpus(count);
    return countsRanks ? study::nodeSizeOf(study, settings) : std::nullopt;
}

ScaleModel modelScale(const study::Study& study, const model::Fit& fit, std::size_t factor,
                      const study::Settings& settings, std::optional<int> perNode)
{
    const std::optional<study::NodeSize> node = plannedNode(study, factor, settings);
    ScaleModel scale{.unitSeconds = isRateUnit(fit.unit) ? secondsPerUnit(fit.unit).value_or(1.0) : 1.0};
    try {
        scale.points = makeScalingPoints(fit, study, factor, study::Coding(fit.factors).toCoded(settings));
        scale.forecast = fitForecast(scale.points, {.perNode = perNode.value_or(node ? node->ranks : 1)});
    } catch (const std::invalid_argument& error) {
        scale.forecast.message = error.what();
    }
    return scale;
}

ScalePlan planScale(const ForecastModel& forecast, const PlanChoices& choices, const std::vector<int>& asked)
{
    if (forecast.laws.empty())
        return {};
    std::vector<int> counts =
        asked.empty() ? doublingsBeyond(forecast.measured.back(), choices.doublings) : asked;
    counts.insert(counts.end(), forecast.measured.begin(), forecast.measured.end());
    sortOnce(counts);
    ScalePlan plan{.curve = forecastAt(forecast, curveCounts(counts))};
    std::ranges::copy_if(plan.curve, std::back_inserter(plan.rows), [&counts](const ForecastRow& row) {
        return std::ranges::binary_search(counts, row.count);
    });
    plan.lastWorthwhile = lastWorthwhile(forecast.laws, choices.worth, counts.front(), counts.back());
    return plan;
}

Estimate costOfMillion(double gpuHour, const ForecastRow& row, double unitSeconds)
{
    const auto at = [&](double speed) {
        return gpuHour * row.count * kMillion * unitSeconds / speed / kHourSecondsOfGpu;
    };
    return {at(row.speed.value), at(row.speed.high), at(row.speed.low)};
}

} // namespace quadric::plan
