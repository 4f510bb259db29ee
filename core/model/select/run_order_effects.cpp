// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/run_order_effects.h"

#include "core/model/base/copies.h"
#include "core/model/base/distributions.h"
#include "core/model/base/model_size.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/regression.h"
#include "core/model/fit/tables.h"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace quadric::model {

namespace {

constexpr std::size_t kFewestPoints = 3;
constexpr double kNoResidual = 1e-12; ///< of the total sum of squares

struct Point {
    double order = 0.0, value = 0.0;
};

/// Order and result of the runs at the commonest setting of the center, in run order.
std::vector<Point> sentinelPoints(const study::Study& study, std::string_view response)
{
    const Copies copies = findCopies(study, response);
    std::map<study::Settings, std::vector<Point>> bySetting;
    for (const study::Run* run : study::inRunOrder(study)) {
        const auto result = run->results.find(response);
        if (run->kind == study::RunKind::Center && run->status == study::RunStatus::Done &&
            result != run->results.end() && !copies.isRepetition(run->id))
            bySetting[run->settings].push_back({static_cast<double>(run->order), result->second});
    }
    std::vector<Point> most;
    for (auto& [settings, points] : bySetting) {
        if (points.size() > most.size())
            most = std::move(points);
    }
    return most;
}

/// Runs count as corners and centers when they are this near, coded.
constexpr double kNear = 0.02;

enum class Place { Corner, Center, Elsewhere };

Place placeOf(const study::CodedPoint& point, const std::vector<study::Factor>& factors)
{
    bool isCorner = true, isCenter = true, hasNumeric = false;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (!factors[i].isNumeric())
            continue;
        const double size = std::abs(point[static_cast<Eigen::Index>(i)]);
        hasNumeric = true;
        isCorner = isCorner && std::abs(size - 1) <= kNear;
        isCenter = isCenter && size <= kNear;
    }
    if (!hasNumeric)
        return Place::Elsewhere;
    return isCorner ? Place::Corner : (isCenter ? Place::Center : Place::Elsewhere);
}

bool hasPowers(const Fit& fit)
{
    return std::ranges::any_of(fit.terms, [](const Term& term) {
        return std::ranges::any_of(term.powers, [](int power) { return power > 1; });
    });
}

constexpr const char* kPlace = "place";

/// The runs that count, in the order in which they were made.
std::vector<const study::Run*> executedRuns(const study::Study& study)
{
    const Copies copies =
        study.responses.empty() ? Copies{} : findCopies(study, study.responses.front().name);
    std::vector<const study::Run*> runs = study::inRunOrder(study);
    std::erase_if(runs, [&](const study::Run* run) {
        return run->status != study::RunStatus::Done || run->kind == study::RunKind::Confirmation ||
               copies.isRepetition(run->id);
    });
    if (std::ranges::all_of(runs, [](const study::Run* run) { return !run->provenance.started.empty(); }))
        std::ranges::stable_sort(runs, {}, [](const study::Run* run) { return run->provenance.started; });
    return runs;
}

/// That so many places of so many in a random order are consecutive.
double consecutiveProbability(std::size_t replicates, std::size_t runs)
{
    const auto m = static_cast<double>(replicates), n = static_cast<double>(runs);
    return std::exp(std::lgamma(m + 1) + std::lgamma(n - m + 2) - std::lgamma(n + 1));
}

/// Linear and squared terms: what a standard order follows.
std::vector<Term> mainTerms(const std::vector<study::Factor>& factors)
{
    std::vector<Term> terms = termsOf(Order::Linear, factors);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (!factors[i].isNumeric())
            continue;
        Term square{std::vector<int>(factors.size(), 0)};
        square.powers[i] = 2;
        terms.push_back(std::move(square));
    }
    return terms;
}

/// The runs with their places as the only response.
study::Study studyOfPlaces(const study::Study& study)
{
    study::Study places;
    places.factors = study.factors;
    places.responses = {{.name = kPlace}};
    for (const study::Run* run : executedRuns(study)) {
        places.runs.push_back(*run);
        places.runs.back().results = {{kPlace, static_cast<double>(places.runs.size())}};
    }
    return places;
}

std::optional<OrderDependence> dependenceOf(const Regression& regression)
{
    const int terms = regression.parameters - 1 - static_cast<int>(regression.blockColumns());
    if (regression.df < 1 || terms < 1 || regression.sstInBlocks <= 0)
        return std::nullopt;
    OrderDependence dependence;
    dependence.r2 = 1 - regression.sse / regression.sstInBlocks;
    if (regression.sse <= 0)
        dependence.p = 0.0;
    else
        dependence.p = fProbability(
            (regression.sstInBlocks - regression.sse) / terms / *regression.variance(), terms, regression.df);
    return dependence;
}

} // namespace

std::optional<Sentinels> summarizeSentinels(const study::Study& study, std::string_view response)
{
    const std::vector<Point> points = sentinelPoints(study, response);
    if (points.size() < kFewestPoints)
        return std::nullopt;
    const auto n = static_cast<double>(points.size());
    double meanOrder = 0.0, mean = 0.0;
    for (const Point& point : points) {
        meanOrder += point.order / n;
        mean += point.value / n;
    }
    double sxx = 0.0, sxy = 0.0, syy = 0.0;
    for (const Point& point : points) {
        sxx += (point.order - meanOrder) * (point.order - meanOrder);
        sxy += (point.order - meanOrder) * (point.value - mean);
        syy += (point.value - mean) * (point.value - mean);
    }
    Sentinels found{.runs = static_cast<int>(points.size()),
                    .mean = mean,
                    .sd = std::sqrt(syy / (n - 1)),
                    .t = {},
                    .p = {}};
    found.perRun = sxy / sxx;
    found.change = found.perRun * (points.back().order - points.front().order);
    const double rest = syy - found.perRun * sxy;
    if (rest > kNoResidual * syy) {
        found.t = found.perRun / std::sqrt(rest / (n - 2) / sxx);
        found.p = tProbability(*found.t, n - 2);
    }
    return found;
}

bool haveSentinelsDrifted(const study::Study& study)
{
    std::vector<double> probabilities;
    for (const study::Response& response : study.responses) {
        const std::optional<Sentinels> found = summarizeSentinels(study, response.name);
        if (found && found->p)
            probabilities.push_back(*found->p);
    }
    const auto count = static_cast<double>(probabilities.size());
    return !probabilities.empty() && *std::ranges::min_element(probabilities) * count < kSignificance;
}

std::optional<CurvatureTest> curvatureTest(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr || hasPowers(fit))
        return std::nullopt;
    const Observations& data = fit.data->observations;
    CurvatureTest test;
    const Eigen::VectorXd weights = weighted(data, weighted(data, Eigen::VectorXd::Ones(data.size())));
    double corners = 0.0, centers = 0.0, ofCorners = 0.0, ofCenters = 0.0; // sums of weights beside the sums
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        const Place place = placeOf(data.points[static_cast<std::size_t>(i)], fit.factors);
        if (place == Place::Elsewhere)
            return std::nullopt;
        (place == Place::Corner ? corners : centers) += weights[i] * data.z[i];
        (place == Place::Corner ? ofCorners : ofCenters) += weights[i];
        ++(place == Place::Corner ? test.corners : test.centers);
    }
    if (test.corners == 0 || test.centers == 0)
        return std::nullopt;
    test.difference = corners / ofCorners - centers / ofCenters;
    test.ss = test.difference * test.difference * ofCorners * ofCenters / (ofCorners + ofCenters);
    const PureError pure = computePureError(data, fit.data->replicateGroups);
    if (pure.df > 0 && pure.ss > 0) {
        test.f = test.ss / (pure.ss / pure.df);
        test.p = fProbability(*test.f, 1, pure.df);
    }
    return test;
}

std::vector<int> findConsecutiveReplicates(const study::Study& study)
{
    const std::vector<const study::Run*> runs = executedRuns(study);
    std::map<study::Settings, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < runs.size(); ++i)
        places[runs[i]->settings].push_back(i);
    std::vector<int> consecutive;
    double replicated = 0.0, found = 0.0, likeliest = 0.0;
    for (const auto& [settings, at] : places) {
        if (at.size() < 2 || at.size() == runs.size())
            continue;
        ++replicated;
        if (at.back() - at.front() >= at.size())
            continue;
        ++found;
        likeliest = std::max(likeliest, consecutiveProbability(at.size(), runs.size()));
        for (const std::size_t place : at)
            consecutive.push_back(runs[place]->id);
    }
    const bool isChance = found == 0.0 || likeliest >= 1.0 ||
                          boost::math::ibeta(found, replicated - found + 1, likeliest) >= kSignificance;
    std::ranges::sort(consecutive);
    return isChance ? std::vector<int>{} : consecutive;
}

std::optional<OrderDependence> computeOrderDependence(const study::Study& study)
{
    const study::Study places = studyOfPlaces(study);
    if (places.runs.empty() || places.factors.empty())
        return std::nullopt;
    try {
        const Observations data = collect(places, kPlace);
        const std::vector<Term> terms = mainTerms(places.factors);
        requireSize("linear", countColumns(terms, places.factors), countBlockColumns(data),
                    static_cast<double>(data.size()));
        std::optional<OrderDependence> found =
            dependenceOf(solveRegression(data, places.factors, terms, FitOptions{}.rankTolerance));
        if (found) {
            const bool isStandard = std::ranges::is_sorted(data.runs);
            found->isConfounded =
                found->p < kCertain || (isStandard && (found->p < kSignificance || !study.design.randomize));
        }
        return found;
    } catch (const std::invalid_argument&) { // settings without coded values, or too many terms
        return std::nullopt;
    }
}

} // namespace quadric::model
