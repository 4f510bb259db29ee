// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/reduce.h"
#include "core/algebra/factorizations.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/model_candidates.h"
#include "core/model/fit/tables.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace quadric::model {

namespace {

/// A regression from which terms are taken one by one: coefficients and (X'X)⁻¹ of the columns that are left
/// follow from those of the whole by one update each.
class Elimination {
public:
    explicit Elimination(const Regression& regression)
        : m_regression(regression)
        , m_beta(regression.solution.beta)
        , m_covariance(regression.solution.covariance)
        , m_sse(regression.sse)
        , m_parameters(regression.parameters)
        , m_terms(regression.terms)
    {
        for (const Term& term : m_terms) {
            m_positions[term.powers] = positionsOf(regression, term);
            m_children.push_back(
                std::ranges::count_if(m_terms, [&](const Term& other) { return isParent(term, other); }));
        }
    }

    const std::vector<Term>& terms() const { return m_terms; }
    /// Terms without which the hierarchy still holds.
    std::vector<Term> removable() const
    {
        std::vector<Term> result;
        for (std::size_t i = 0; i < m_terms.size(); ++i) {
            if (m_children[i] == 0 && !m_terms[i].isIntercept())
                result.push_back(m_terms[i]);
        }
        return result;
    }

    int parameters() const { return m_parameters; }
    double sse() const { return m_sse; }
    std::optional<double> aicc() const { return correctedAkaike(m_regression.n, m_parameters, m_sse); }

    int degreesOfFreedom(const Term& term) const { return static_cast<int>(positions(term).size()); }

    /// What the residual sum of squares grows by without the term.
    double partial(const Term& term) const
    {
        const std::vector<Eigen::Index>& at = positions(term);
        const Eigen::VectorXd beta = m_beta(at);
        if (at.size() == 1)
            return beta[0] * beta[0] / m_covariance(at[0], at[0]);
        return std::max(beta.dot(algebra::PivotedCholesky(m_covariance(at, at)).solve(beta)), 0.0);
    }

    void leaveOut(const Term& term)
    {
        m_sse += partial(term);
        for (const Eigen::Index j : positions(term)) {
            const Eigen::VectorXd column = m_covariance.col(j);
            m_beta -= column * (m_beta[j] / column[j]);
            m_covariance -= column * (column.transpose() / column[j]);
            --m_parameters;
        }
        forget(term);
    }

private:
    void forget(const Term& term)
    {
        for (std::size_t i = 0; i < m_terms.size(); ++i)
            m_children[i] -= isParent(m_terms[i], term) ? 1 : 0;
        const auto at = std::ranges::find(m_terms, term);
        m_children.erase(m_children.begin() + (at - m_terms.begin()));
        m_terms.erase(at);
    }

    const std::vector<Eigen::Index>& positions(const Term& term) const { return m_positions.at(term.powers); }

    const Regression& m_regression;
    std::map<std::vector<int>, std::vector<Eigen::Index>> m_positions;
    Eigen::VectorXd m_beta;
    Eigen::MatrixXd m_covariance;
    double m_sse = 0.0;
    int m_parameters = 0;
    std::vector<Term> m_terms;
    std::vector<std::ptrdiff_t> m_children; ///< of each term, how many others have it as a parent
};

/// The term to leave out next, if any.
std::optional<Term> findTermToRemove(const Elimination& model, int n, double rounding)
{
    const std::optional<double> present = model.aicc();
    const bool isExact = model.sse() <= rounding && model.parameters() < n;
    std::optional<Term> best;
    double bestScore = std::numeric_limits<double>::infinity();
    if (present && !isExact)
        bestScore = *present;
    if (isExact)
        bestScore = rounding;
    for (const Term& term : model.removable()) {
        const double partial = model.partial(term);
        const int df = model.degreesOfFreedom(term);
        double score = partial / df;
        if (isExact)
            score = partial;
        else if (present)
            score = correctedAkaike(n, model.parameters() - df, model.sse() + partial).value_or(bestScore);
        if (score < bestScore) {
            best = term;
            bestScore = score;
        }
    }
    return best;
}

std::string rounded(double value)
{
    return study::toText(std::round(value * 10) / 10);
}

/// What reduceByAicc() did, as a sentence.
std::string reasonOf(const Reduction& reduction, std::string_view start)
{
    const std::string from = "Starting from the model '" + std::string(start) + "', ";
    if (reduction.steps.empty())
        return from + "no term could be left out without raising AICc, the balance of fit and size.";
    std::vector<std::string> names;
    for (const ReductionStep& step : reduction.steps)
        names.push_back(text::formatTerm(step.term, text::Typography::Typeset));
    std::string text = from + text::formatCount(reduction.steps.size(), "term") +
                       " that the runs do not support " + (reduction.steps.size() == 1 ? "was" : "were") +
                       " left out by AICc, the balance of fit and size: " + text::joinWords(names);
    if (reduction.aicc && reduction.steps.front().aiccBefore)
        text += " (AICc " + rounded(*reduction.steps.front().aiccBefore) + " before, " +
                rounded(*reduction.aicc) + " after)";
    return text + ". Terms that a kept interaction or square is made of stay.";
}

bool isSameModel(const std::vector<Term>& a, const std::vector<Term>& b)
{
    return a.size() == b.size() &&
           std::ranges::all_of(a, [&](const Term& term) { return std::ranges::find(b, term) != b.end(); });
}

struct Candidate {
    AutomaticModel model;
    std::optional<double> aicc;
};

/// Backward from the highest order that leaves an error; without one, straight lines where there are runs
/// enough.
Candidate chooseBackward(const Observations& data, const std::vector<study::Factor>& factors,
                         const std::vector<OrderSummary>& orders)
{
    const auto isTestable = [](const OrderSummary& row) { return row.aliased.empty() && row.dfResidual > 0; };
    const auto highest = std::find_if(orders.rbegin(), orders.rend(), isTestable);
    if (highest == orders.rend() || (highest->order == Order::Mean && orders.size() > 1)) {
        const bool isLinear =
            largestOrder(factors, countBlockColumns(data), static_cast<double>(data.size())) > Order::Mean &&
            missingRuns(data, factors, termsOf(Order::Linear, factors)) == 0;
        const Order order = isLinear ? Order::Linear : Order::Mean;
        return {
            {termsOf(order, factors),
             std::string(nameOf(order)),
             "The runs are too few to compare models, so the model is " + std::string(nameOf(order)) + ".",
             {}},
            {}};
    }
    Reduction reduction = reduceByAicc(data, factors, termsOf(highest->order, factors));
    return {{reduction.terms, formulaOf(reduction.terms, factors), reasonOf(reduction, highest->name),
             std::move(reduction.start)},
            reduction.aicc};
}

std::string reasonOf(const StepwiseChoice& choice, Order largest, const std::vector<study::Factor>& factors)
{
    std::vector<std::string> names;
    for (const Term& term : choice.terms) {
        if (!term.isIntercept())
            names.push_back(text::formatTerm(nameOf(term, factors), text::Typography::Typeset));
    }
    std::string text = "The runs cannot estimate all terms of the " + std::string(nameOf(largest)) +
                       " model, so terms were chosen one by one by AICc, each with the factors that it is "
                       "made of: " +
                       (names.empty() ? "none" : text::formatList(names));
    if (choice.aicc && choice.aiccOfMean)
        text +=
            " (AICc " + rounded(*choice.aicc) + "; " + rounded(*choice.aiccOfMean) + " for the mean alone)";
    text += ".";
    for (const std::string& alias : choice.aliases)
        text += " " + alias;
    return text;
}

/// Where all candidates are more than the runs can estimate: the chosen terms and the straight line of every
/// factor. Empty where that leaves no error.
std::optional<ErrorModelTerms>
fitWithAllLines(const Observations& data, const std::vector<study::Factor>& factors, std::vector<Term> terms)
{
    for (Term& line : termsOf(Order::Linear, factors)) {
        if (std::ranges::find(terms, line) == terms.end())
            terms.push_back(std::move(line));
    }
    const Regression regression = solveRegression(data, factors, terms);
    return regression.df > 0 ? std::optional(makeErrorModel(regression)) : std::nullopt;
}

} // namespace

Reduction reduceByAicc(const Observations& data, const std::vector<study::Factor>& factors,
                       const std::vector<Term>& terms)
{
    const Regression regression = solveRegression(data, factors, terms);
    const double rounding = roundingSumOfSquares(data.z.cwiseAbs().maxCoeff(), data.size());
    Elimination model(regression);
    Reduction reduction;
    reduction.start = makeErrorModel(regression);
    for (std::optional<Term> next = findTermToRemove(model, regression.n, rounding); next;
         next = findTermToRemove(model, regression.n, rounding)) {
        reduction.steps.push_back({nameOf(*next, factors), model.aicc()});
        model.leaveOut(*next);
    }
    reduction.terms = model.terms();
    reduction.aicc = model.aicc();
    return reduction;
}

AutomaticModel chooseModel(const Observations& data, const std::vector<study::Factor>& factors)
{
    const std::vector<OrderSummary> orders = compareOrders(data, factors);
    Candidate backward = chooseBackward(data, factors, orders);
    const OrderSummary& highest = orders.back();
    if (highest.aliased.empty() && highest.dfResidual > 0)
        return std::move(backward.model);
    StepwiseChoice stepwise = chooseStepwise(data, factors, termsOf(highest.order, factors));
    if (!stepwise.aicc || (backward.aicc && *backward.aicc <= *stepwise.aicc))
        return std::move(backward.model);
    std::string reason = reasonOf(stepwise, highest.order, factors);
    std::string formula = formulaOf(stepwise.terms, factors);
    std::optional<ErrorModelTerms> from = fitWithAllLines(data, factors, stepwise.terms);
    return {std::move(stepwise.terms), std::move(formula), std::move(reason), std::move(from)};
}

std::string formulaOf(const std::vector<Term>& terms, const std::vector<study::Factor>& factors)
{
    for (const Order order : {Order::Mean, Order::Linear, Order::Interactions, Order::Quadratic}) {
        if (countColumns(order, factors) == countColumns(terms, factors) &&
            isSameModel(terms, termsOf(order, factors)))
            return std::string(nameOf(order));
    }
    std::string formula;
    for (const Term& term : terms) {
        if (!term.isIntercept())
            formula += (formula.empty() ? "" : " + ") + nameOf(term, factors);
    }
    return formula;
}

} // namespace quadric::model
