// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/model_summary.h"
#include "core/model/base/distributions.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/tables.h"
#include "core/model/fit/transform.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::model {

namespace {

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
Nested nestedOf(const Observations& data, const std::vector<study::Factor>& factors, double rankTolerance,
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
        nested.basis = orthogonalBasis(designMatrix(data, blocks, nested.columns, factors), rankTolerance);
    const Eigen::VectorXd constant = weighted(data, Eigen::VectorXd::Ones(data.size()));
    nested.centered = withoutMean(weighted(data, data.z), constant);
    nested.sequential = (nested.basis.vectors.transpose() * nested.centered).cwiseAbs2();
    nested.sequential[0] = 0.0;
    nested.magnitude = data.z.cwiseAbs().maxCoeff();
    nested.sst = totalInBlocks(data);
    nested.pureError = pureErrorOf(data, replicateGroups(data, factors));
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

void judgeResiduals(const Nested& nested, Eigen::Index kept, double sse, OrderSummary& row)
{
    const double n = static_cast<double>(nested.centered.size());
    row.aicc = correctedAkaike(static_cast<int>(n), row.parameters, sse);
    if (row.dfResidual > 0)
        row.sigma = std::sqrt(sse / row.dfResidual);
    const auto q = nested.basis.vectors.leftCols(kept);
    const Eigen::VectorXd residuals = nested.centered - q * (q.transpose() * nested.centered);
    row.press = sse > 0 || row.dfResidual == 0 ? pressOf(residuals, q.rowwise().squaredNorm().cwiseMin(1.0))
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
    judgeResiduals(nested, kept, sse, row);
    if (order != Order::Mean)
        row.sequentialP = testP(nested.sequential.segment(before, kept - before).sum(),
                                static_cast<int>(kept - before), sse, row.dfResidual);
    const PureError& pure = nested.pureError;
    row.lackOfFitP = testP(std::max(sse - pure.ss, 0.0), row.dfResidual - pure.df, pure.ss, pure.df);
    return row;
}

bool isCandidate(const OrderSummary& row)
{
    return row.aliased.empty() && row.dfResidual > 0;
}

/// Nothing is left to explain: the order fits the runs exactly with an error left over.
bool isExact(const OrderSummary& row)
{
    return row.r2 == 1.0;
}

/// Position of the suggested order: the lowest one that fits exactly, else the one with the lowest AICc; none
/// where only the mean has one.
std::optional<std::size_t> suggest(const std::vector<OrderSummary>& rows, std::string& reason)
{
    std::size_t chosen = 0, compared = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (!isCandidate(rows[i]) || isExact(rows[chosen]))
            continue;
        compared += rows[i].aicc || isExact(rows[i]) ? 1 : 0;
        const bool isLower = rows[i].aicc && (!rows[chosen].aicc || *rows[i].aicc < *rows[chosen].aicc);
        if (isExact(rows[i]) || isLower)
            chosen = i;
    }
    if (rows.size() > 1 && compared == 0 && !isExact(rows[0])) {
        reason = "The runs are too few to compare orders: choose terms, as the recommended model does.";
        return std::nullopt;
    }
    if (isExact(rows[chosen]))
        reason = "The lowest order that reproduces every run is " + rows[chosen].name + ".";
    else
        reason = (chosen == 0 ? std::string("The mean alone") : "The order " + rows[chosen].name) +
                 " has the lowest AICc" +
                 (rows[chosen].aicc ? " (" + text::formatNumber(*rows[chosen].aicc) + ")" : "") + ".";
    return chosen;
}

ModelSummary summarize(const Nested& nested, const std::vector<study::Factor>& factors)
{
    ModelSummary summary;
    Eigen::Index first = 0;
    for (const Order order : {Order::Mean, Order::Linear, Order::Interactions, Order::Quadratic}) {
        if (order > nested.highest)
            break;
        const Eigen::Index end = static_cast<Eigen::Index>(countColumns(order, factors)) + nested.blocks;
        if (order == Order::Mean || end > first)
            summary.orders.push_back(summaryOf(nested, order, first, end));
        first = end;
    }
    if (const std::optional<std::size_t> chosen = suggest(summary.orders, summary.message))
        summary.orders[*chosen].isSuggested = true;
    return summary;
}

} // namespace

ModelSummary compareOrders(const Observations& data, const std::vector<study::Factor>& factors,
                           double rankTolerance)
{
    requireSize(nameOf(Order::Mean), 1.0, countBlockColumns(data), static_cast<double>(data.size()));
    return summarize(nestedOf(data, factors, rankTolerance, nullptr), factors);
}

ModelSummary compareOrders(const Fit& fit)
{
    if (fit.isOk() && fit.data != nullptr)
        return summarize(
            nestedOf(fit.data->observations, fit.factors, FitOptions{}.rankTolerance, &fit.data->regression),
            fit.factors);
    ModelSummary summary;
    summary.message = fit.message.empty() ? "There is no fit to compare." : fit.message;
    return summary;
}

ModelSummary compareOrders(const study::Study& study, std::string_view response, const FitOptions& options)
{
    ModelSummary summary;
    const study::Response* found = study::findResponse(study, response);
    if (found == nullptr) {
        summary.message = "The study has no response '" + std::string(response) + "'.";
        return summary;
    }
    try {
        Observations data = collect(study, response);
        if (data.size() == 0) {
            summary.message = "No run has a result of " + found->name + " yet.";
            return summary;
        }
        transformObservations(transformFor(*found, options.transform, data.y), found->name, data);
        return compareOrders(data, study.factors, options.rankTolerance);
    } catch (const std::logic_error& error) { // settings or values that a model cannot be made of
        summary.message = error.what();
    }
    return summary;
}

} // namespace quadric::model
