// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/model_candidates.h"

#include "core/algebra/factorizations.h"
#include "core/model/base/distributions.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/regression.h"
#include "core/model/fit/tables.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// A column of which a smaller share of the length is left by the others is explained by them.
constexpr double kRankTolerance = 3e-5;
/// The same share, squared.
constexpr double kIndependent = kRankTolerance * kRankTolerance;
/// AICc that is lower by less is not lower.
constexpr double kGain = 1e-9;

/// What the basis leaves of a column.
Eigen::VectorXd removeProjection(const OrthogonalBasis& basis, const Eigen::VectorXd& column)
{
    return column - basis.vectors * (basis.vectors.transpose() * column);
}

class Stepwise {
public:
    Stepwise(const Observations& data, const std::vector<study::Factor>& factors,
             const std::vector<Term>& candidates)
        : m_z(decorrelated(data, data.z))
        , m_candidates(candidates)
        , m_start(designMatrix(data, blocksOf(data), columnsOf({candidates.front()}, factors), factors))
        , m_size(static_cast<int>(m_z.size()))
        , m_rounding(roundingSumOfSquares(data.z.cwiseAbs().maxCoeff(), data.size()))
    {
        for (const Term& term : candidates)
            m_columns.push_back(
                decorrelated(data, modelMatrix(columnsOf({term}, factors), data.points, factors)));
        rotateIntoFewRows();
        m_chosen = {0};
        m_aicc = judge(m_chosen);
    }

    /// One step; false where none lowers AICc.
    bool step()
    {
        std::vector<std::size_t> best;
        std::optional<double> bestAicc = m_aicc;
        for (std::size_t i = 1; i < m_candidates.size(); ++i) {
            const std::vector<std::size_t> trial = isChosen(i) ? without(i) : with(i);
            const std::optional<double> aicc = trial.empty() ? std::nullopt : judge(trial);
            if (aicc && (!bestAicc || *aicc < *bestAicc - kGain)) {
                best = trial;
                bestAicc = aicc;
            }
        }
        if (best.empty())
            return false;
        m_chosen = std::move(best);
        m_aicc = bestAicc;
        return true;
    }

    std::optional<double> aicc() const { return m_aicc; }
    std::size_t countCandidates() const { return m_candidates.size(); }

    std::vector<Term> terms() const
    {
        std::vector<Term> terms;
        for (const std::size_t i : m_chosen)
            terms.push_back(m_candidates[i]);
        return terms;
    }

    /// Candidates that differ from a chosen one by nothing that the other chosen ones do not explain.
    std::vector<std::size_t> findAliases(std::size_t chosen) const
    {
        std::vector<std::size_t> others = m_chosen;
        std::erase(others, chosen);
        const OrthogonalBasis basis = orthogonalBasis(columnsOfAll(others), kRankTolerance);
        const Eigen::VectorXd own = removeProjection(basis, m_columns[chosen].col(0));
        std::vector<std::size_t> aliases;
        for (std::size_t i = 1; i < m_candidates.size(); ++i) {
            if (isChosen(i) || m_columns[i].cols() != 1)
                continue;
            const Eigen::VectorXd other = removeProjection(basis, m_columns[i].col(0));
            const double product = own.dot(other);
            const bool isSame =
                product * product > (1.0 - kIndependent) * own.squaredNorm() * other.squaredNorm();
            if (isSame && other.squaredNorm() > kIndependent * m_columns[i].squaredNorm())
                aliases.push_back(i);
        }
        return aliases;
    }

    const std::vector<std::size_t>& chosen() const { return m_chosen; }
    const Term& term(std::size_t i) const { return m_candidates[i]; }

private:
    /// Of many runs: a rotation leaves all lengths and angles, and all columns need no more rows than they
    /// are.
    void rotateIntoFewRows()
    {
        Eigen::Index count = m_start.cols() + 1;
        for (const Eigen::MatrixXd& columns : m_columns)
            count += columns.cols();
        if (count >= m_z.size())
            return;
        Eigen::MatrixXd all(m_z.size(), count);
        Eigen::Index at = 0;
        const auto append = [&](const auto& columns) {
            all.middleCols(at, columns.cols()) = columns;
            at += columns.cols();
        };
        append(m_start);
        for (const Eigen::MatrixXd& columns : m_columns)
            append(columns);
        append(m_z);
        const Eigen::MatrixXd rotated = algebra::HouseholderQr(std::move(all)).upper();
        at = 0;
        const auto take = [&](auto& columns) {
            const Eigen::Index width = columns.cols();
            columns = rotated.middleCols(at, width);
            at += width;
        };
        take(m_start);
        for (Eigen::MatrixXd& columns : m_columns)
            take(columns);
        take(m_z);
    }

    bool isChosen(std::size_t i) const { return std::ranges::count(m_chosen, i) > 0; }

    /// Parents first; the intercept is among the chosen ones always.
    std::vector<std::size_t> with(std::size_t i) const
    {
        std::vector<std::size_t> trial = m_chosen;
        for (std::size_t j = 1; j < m_candidates.size(); ++j) {
            if (isParent(m_candidates[j], m_candidates[i]) && !isChosen(j))
                trial.push_back(j);
        }
        trial.push_back(i);
        return trial;
    }

    /// Empty where another chosen term needs it.
    std::vector<std::size_t> without(std::size_t i) const
    {
        const bool hasChild = std::ranges::any_of(
            m_chosen, [&](std::size_t j) { return isParent(m_candidates[i], m_candidates[j]); });
        if (hasChild)
            return {};
        std::vector<std::size_t> trial = m_chosen;
        std::erase(trial, i);
        return trial;
    }

    /// Intercept and blocks, then the columns of the terms.
    Eigen::MatrixXd columnsOfAll(const std::vector<std::size_t>& terms) const
    {
        Eigen::Index count = m_start.cols();
        for (const std::size_t i : terms)
            count += i == 0 ? 0 : m_columns[i].cols();
        Eigen::MatrixXd x(m_start.rows(), count);
        x.leftCols(m_start.cols()) = m_start;
        Eigen::Index at = m_start.cols();
        for (const std::size_t i : terms) {
            if (i == 0)
                continue;
            x.middleCols(at, m_columns[i].cols()) = m_columns[i];
            at += m_columns[i].cols();
        }
        return x;
    }

    /// Empty where a column is explained by others, AICc is not defined, or nothing is left to explain before
    /// the last term.
    std::optional<double> judge(const std::vector<std::size_t>& terms) const
    {
        const OrthogonalBasis basis = orthogonalBasis(columnsOfAll(terms), kRankTolerance);
        if (!basis.aliased.empty())
            return std::nullopt;
        const Eigen::VectorXd rest = removeProjection(basis, m_z);
        const Eigen::Index last = terms.back() == 0 ? 0 : m_columns[terms.back()].cols();
        const double before =
            rest.squaredNorm() + (basis.vectors.rightCols(last).transpose() * m_z).squaredNorm();
        if (terms.back() != 0 && before <= m_rounding)
            return std::nullopt;
        return correctedAkaike(m_size, static_cast<int>(basis.vectors.cols()),
                               std::max(rest.squaredNorm(), m_rounding));
    }

    Eigen::VectorXd m_z;
    std::vector<Term> m_candidates;
    Eigen::MatrixXd m_start; ///< intercept and blocks
    int m_size = 0;          ///< runs
    double m_rounding = 0.0;
    std::vector<Eigen::MatrixXd> m_columns; ///< of each candidate
    std::vector<std::size_t> m_chosen;
    std::optional<double> m_aicc;
};

std::string formatName(const Term& term, const std::vector<study::Factor>& factors)
{
    return text::formatTerm(nameOf(term, factors), text::Typography::Typeset);
}

std::vector<std::string> describeAliases(const Stepwise& stepwise, const std::vector<study::Factor>& factors)
{
    std::vector<std::string> sentences;
    for (const std::size_t i : stepwise.chosen()) {
        if (i == 0)
            continue;
        std::vector<std::string> names;
        for (const std::size_t other : stepwise.findAliases(i))
            names.push_back(formatName(stepwise.term(other), factors));
        if (!names.empty())
            sentences.push_back(formatName(stepwise.term(i), factors) + " is aliased with " +
                                text::formatList(names) + ": the runs show only the sum of these effects.");
    }
    return sentences;
}

/// The runs seen through the columns of the highest order: the lower ones are its first columns.
struct Nested {
    OrthogonalBasis basis;
    Order highest = Order::Mean; ///< of those that can be computed
    std::vector<Column> columns;
    Eigen::Index blocks = 0;
    Eigen::VectorXd centered, sequential;
    double sst = 0.0; ///< within blocks
    double magnitude = 0.0;
    PureError pureError;
};

/// `fitted`: a solution whose columns may be those of the highest order already; null: none.
Nested solveNestedModels(const Observations& data, const std::vector<study::Factor>& factors,
                         const Regression* fitted)
{
    Nested nested;
    nested.highest = largestOrder(factors, countBlockColumns(data), static_cast<double>(data.size()));
    const std::vector<Term> terms = termsOf(nested.highest, factors);
    nested.columns = columnsOf(terms, factors);
    const std::vector<int> blocks = blocksOf(data);
    nested.blocks = blocks.empty() ? 0 : std::ssize(blocks) - 1;
    if (fitted != nullptr && fitted->terms == terms && fitted->aliased.empty())
        nested.basis = {fitted->solution.kept, {}, fitted->solution.basis};
    else
        nested.basis = orthogonalBasis(designMatrix(data, blocks, nested.columns, factors), kAliasTolerance);
    nested.centered =
        withoutMean(decorrelated(data, data.z), decorrelated(data, Eigen::VectorXd::Ones(data.size())));
    nested.sequential = (nested.basis.vectors.transpose() * nested.centered).cwiseAbs2();
    nested.sequential[0] = 0.0;
    nested.magnitude = data.z.cwiseAbs().maxCoeff();
    nested.sst = data.blockRatio ? nested.centered.squaredNorm() : totalInBlocks(data);
    nested.pureError = computePureError(data, replicateGroups(data, factors));
    return nested;
}

Eigen::Index countBelow(const std::vector<Eigen::Index>& positions, Eigen::Index end)
{
    return std::ranges::lower_bound(positions, end) - positions.begin();
}

std::optional<double> testP(double ss, int df, double errorSs, int errorDf)
{
    if (df <= 0 || errorDf <= 0 || errorSs <= 0)
        return std::nullopt;
    return fProbability(ss / df / (errorSs / errorDf), df, errorDf);
}

void fillResidualStatistics(const Nested& nested, Eigen::Index kept, double sse, OrderSummary& row)
{
    const double n = static_cast<double>(nested.centered.size());
    row.aicc = correctedAkaike(static_cast<int>(n), row.parameters, sse);
    if (row.dfResidual > 0)
        row.sigma = std::sqrt(sse / row.dfResidual);
    const auto q = nested.basis.vectors.leftCols(kept);
    const Eigen::VectorXd residuals = nested.centered - q * (q.transpose() * nested.centered);
    row.press = sse > 0 || row.dfResidual == 0
                    ? computePress(residuals, q.rowwise().squaredNorm().cwiseMin(1.0))
                    : std::optional(0.0);
    if (nested.sst <= 0)
        return;
    row.r2 = 1 - sse / nested.sst;
    if (row.dfResidual > 0)
        row.r2Adjusted =
            1 - (sse / row.dfResidual) / (nested.sst / (n - 1 - static_cast<double>(nested.blocks)));
    if (row.press)
        row.r2Predicted = 1 - *row.press / nested.sst;
}

/// `first` and `end`: the columns of x that this order adds.
OrderSummary summaryOf(const Nested& nested, Order order, Eigen::Index first, Eigen::Index end)
{
    const Eigen::Index before = countBelow(nested.basis.kept, first);
    const Eigen::Index kept = countBelow(nested.basis.kept, end);
    OrderSummary row;
    row.order = order;
    row.name = nameOf(order);
    for (const Eigen::Index j : nested.basis.aliased) {
        if (j < end && j > nested.blocks)
            row.aliased.push_back(nested.columns[static_cast<std::size_t>(j - nested.blocks)].name);
    }
    row.parameters = static_cast<int>(kept);
    row.dfResidual = static_cast<int>(nested.centered.size() - kept);
    const double rest = nested.centered.squaredNorm() - nested.sequential.head(kept).sum();
    const double sse =
        row.dfResidual == 0 ? 0.0 : withoutRounding(rest, nested.magnitude, nested.centered.size());
    fillResidualStatistics(nested, kept, sse, row);
    if (order != Order::Mean)
        row.sequentialP = testP(nested.sequential.segment(before, kept - before).sum(),
                                static_cast<int>(kept - before), sse, row.dfResidual);
    const PureError& pure = nested.pureError;
    row.lackOfFitP = testP(std::max(sse - pure.ss, 0.0), row.dfResidual - pure.df, pure.ss, pure.df);
    return row;
}

std::vector<OrderSummary> summarize(const Nested& nested, const std::vector<study::Factor>& factors)
{
    std::vector<OrderSummary> orders;
    Eigen::Index first = 0;
    for (const Order order : {Order::Mean, Order::Linear, Order::Interactions, Order::Quadratic}) {
        if (order > nested.highest)
            break;
        const Eigen::Index end = static_cast<Eigen::Index>(countColumns(order, factors)) + nested.blocks;
        if (order == Order::Mean || end > first)
            orders.push_back(summaryOf(nested, order, first, end));
        first = end;
    }
    return orders;
}

} // namespace

StepwiseChoice chooseStepwise(const Observations& data, const std::vector<study::Factor>& factors,
                              const std::vector<Term>& candidates)
{
    Stepwise stepwise(data, factors, candidates);
    StepwiseChoice choice;
    choice.aiccOfMean = stepwise.aicc();
    for (std::size_t steps = 0; steps < 2 * stepwise.countCandidates() && stepwise.step(); ++steps) {
    }
    choice.terms = stepwise.terms();
    choice.aicc = stepwise.aicc();
    choice.aliases = describeAliases(stepwise, factors);
    return choice;
}

std::vector<OrderSummary> compareOrders(const Observations& data, const std::vector<study::Factor>& factors)
{
    requireSize(nameOf(Order::Mean), 1.0, countBlockColumns(data), static_cast<double>(data.size()));
    return summarize(solveNestedModels(data, factors, nullptr), factors);
}

std::vector<OrderSummary> compareOrders(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr)
        return {};
    return summarize(solveNestedModels(fit.data->observations, fit.factors, &fit.data->regression),
                     fit.factors);
}

} // namespace quadric::model
