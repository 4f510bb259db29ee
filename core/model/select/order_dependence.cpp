// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/order_dependence.h"

#include "core/model/base/distributions.h"
#include "core/model/base/model_size.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/fit.h"
#include "core/model/fit/regression.h"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

constexpr const char* kPlace = "place";

bool hasStarted(const study::Run* run)
{
    return !run->provenance.started.empty();
}

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
    if (std::ranges::all_of(runs, hasStarted))
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

} // namespace

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

namespace {

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
