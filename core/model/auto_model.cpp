// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/auto_model.h"
#include "core/model/tables.h"

#include <limits>

namespace quadric::model {

namespace {

constexpr double kSignificance = 0.05;

/// What the choice looks at in one order.
struct Candidate {
    Order order = Order::Mean;
    bool isTestable = false; ///< all terms estimated, an error left over
    double groupP = 1.0;     ///< of the terms that this order adds
    double lackOfFitP = 1.0;
    double r2Predicted = -std::numeric_limits<double>::infinity();
};

double pOf(const std::vector<AnovaRow>& rows, std::string_view source)
{
    for (const AnovaRow& row : rows) {
        if (row.source == source)
            return row.p.value_or(1.0);
    }
    return 1.0;
}

std::string_view groupOf(Order order)
{
    if (order == Order::Linear)
        return "Linear";
    return order == Order::Interactions ? "Interactions" : "Quadratic";
}

Candidate judge(Order order, const Observations& data, const std::vector<study::Factor>& factors,
                double rankTolerance)
{
    const Regression regression = solveRegression(data, factors, termsOf(order, factors), rankTolerance);
    Candidate candidate;
    candidate.order = order;
    candidate.isTestable = regression.aliased.empty() && regression.df > 0;
    const std::vector<AnovaRow> rows =
        anovaOf(regression, pureErrorOf(regression, replicateGroups(data, factors)));
    candidate.groupP = order == Order::Mean ? 0.0 : pOf(rows, groupOf(order));
    if (regression.df > 0 && regression.sse <= 0 && regression.sst > 0)
        candidate.groupP = 0.0; // nothing is left to explain
    candidate.lackOfFitP = pOf(rows, "Lack of fit");
    Fit figures;
    summarize(regression, figures);
    candidate.r2Predicted = figures.r2Predicted.value_or(candidate.r2Predicted);
    return candidate;
}

std::vector<Candidate> candidatesOf(const Observations& data, const std::vector<study::Factor>& factors,
                                    double rankTolerance)
{
    std::vector<Candidate> candidates;
    std::size_t size = 0;
    for (const Order order : {Order::Mean, Order::Linear, Order::Interactions, Order::Quadratic}) {
        const std::size_t terms = termsOf(order, factors).size();
        const Candidate candidate = judge(order, data, factors, rankTolerance);
        if (candidate.isTestable && terms > size)
            candidates.push_back(candidate);
        size = terms;
    }
    return candidates;
}

} // namespace

Order chooseOrder(const Observations& data, const std::vector<study::Factor>& factors, double rankTolerance)
{
    const std::vector<Candidate> candidates = candidatesOf(data, factors, rankTolerance);
    if (candidates.size() < 2)
        return missingRuns(data, factors, termsOf(Order::Linear, factors)) == 0 ? Order::Linear : Order::Mean;

    std::size_t chosen = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].groupP < kSignificance)
            chosen = i;
    }
    while (chosen + 1 < candidates.size() && candidates[chosen].lackOfFitP < kSignificance &&
           candidates[chosen + 1].r2Predicted > candidates[chosen].r2Predicted)
        ++chosen;
    while (chosen > 0 && candidates[chosen - 1].r2Predicted > candidates[chosen].r2Predicted)
        --chosen;
    return candidates[chosen].order;
}

std::string_view nameOf(Order order)
{
    switch (order) {
    case Order::Mean:
        return "mean";
    case Order::Linear:
        return "linear";
    case Order::Interactions:
        return "interactions";
    case Order::Quadratic:
        break;
    }
    return "quadratic";
}

} // namespace quadric::model
