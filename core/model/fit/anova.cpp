// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/cholesky.h"
#include "core/model/base/distributions.h"
#include "core/model/base/term_group.h"
#include "core/model/fit/tables.h"

#include <algorithm>
#include <map>

namespace quadric::model {

namespace {

/// Mean square, and its ratio to the residual variance with the probability of a larger one.
AnovaRow tested(std::string source, int df, double ss, std::optional<double> errorVariance, int errorDf)
{
    AnovaRow row{std::move(source), df, ss, {}, {}, {}, {}};
    if (df > 0)
        row.ms = ss / df;
    if (row.ms && errorVariance && *errorVariance > 0) {
        row.f = *row.ms / *errorVariance;
        row.p = fProbability(*row.f, df, errorDf);
    }
    return row;
}

AnovaRow againstResidual(const Regression& regression, std::string source, int df, double ss)
{
    return tested(std::move(source), df, ss, regression.variance(), regression.df);
}

/// Groups of terms in their order, with degrees of freedom and sequential sum of squares.
std::vector<AnovaRow> groupRows(const Regression& regression)
{
    std::vector<AnovaRow> groups;
    for (std::size_t j = 1; j < regression.columns.size(); ++j) {
        const std::string group = groupOf(regression.columns[j].term);
        if (groups.empty() || groups.back().source != group)
            groups.push_back({group, 0, 0.0, {}, {}, {}, {}});
        ++groups.back().df;
        groups.back().ss += regression.solution.sequential[regression.positionOf(j)];
    }
    return groups;
}

void appendModel(const Regression& regression, std::vector<AnovaRow>& rows)
{
    const Eigen::Index blocks = regression.blockColumns();
    const Eigen::VectorXd& ss = regression.solution.sequential;
    if (blocks > 0)
        rows.push_back(
            againstResidual(regression, "Blocks", static_cast<int>(blocks), ss.segment(1, blocks).sum()));
    const Eigen::Index terms = ss.size() - 1 - blocks;
    if (terms > 0)
        rows.push_back(againstResidual(regression, "Model", static_cast<int>(terms), ss.tail(terms).sum()));
    for (const AnovaRow& group : groupRows(regression))
        rows.push_back(againstResidual(regression, group.source, group.df, group.ss));
}

void appendLackOfFit(const Regression& regression, const PureError& pureError, std::vector<AnovaRow>& rows)
{
    if (pureError.df == 0)
        return;
    const int df = regression.df - pureError.df;
    const double ss = std::max(regression.sse - pureError.ss, 0.0);
    if (df > 0)
        rows.push_back(tested("Lack of fit", df, ss, pureError.ss / pureError.df, pureError.df));
    rows.push_back({"Pure error", pureError.df, pureError.ss, pureError.ss / pureError.df, {}, {}, {}});
}

} // namespace

std::string groupOf(const Term& term)
{
    const int degree = term.degree();
    const bool hasPower =
        std::any_of(term.powers.begin(), term.powers.end(), [](int power) { return power > 1; });
    if (degree == 1)
        return "Linear";
    if (degree == 2)
        return hasPower ? "Quadratic" : "Interactions";
    if (!hasPower)
        return std::to_string(degree) + "-factor interactions";
    return degree == 3 ? "Cubic" : "Degree " + std::to_string(degree);
}

PureError pureErrorOf(const Observations& data, const std::vector<int>& replicateGroups)
{
    const Eigen::VectorXd z = weighted(data, data.z);
    const Eigen::VectorXd constant = weighted(data, Eigen::VectorXd::Ones(data.size()));
    std::map<int, std::vector<Eigen::Index>> groups;
    for (std::size_t i = 0; i < replicateGroups.size(); ++i)
        groups[replicateGroups[i]].push_back(static_cast<Eigen::Index>(i));

    PureError pureError;
    for (const auto& [number, members] : groups) {
        const Eigen::VectorXd repeats = z(members);
        const double ss = withoutMean(repeats, constant(members)).squaredNorm();
        pureError.df += static_cast<int>(members.size()) - 1;
        if (ss > roundingSumOfSquares(repeats.cwiseAbs().maxCoeff(), repeats.size()))
            pureError.ss += ss;
    }
    return pureError;
}

std::vector<AnovaRow> anovaOf(const Regression& regression, const PureError& pureError)
{
    std::vector<AnovaRow> rows;
    appendModel(regression, rows);
    AnovaRow residual{"Residual", regression.df, regression.sse, regression.variance(), {}, {}, {}};
    rows.push_back(std::move(residual));
    appendLackOfFit(regression, pureError, rows);
    rows.push_back({"Total", regression.n - 1, regression.sst, {}, {}, {}, {}});
    return rows;
}

std::vector<AnovaRow> termRowsOf(const Regression& regression)
{
    std::vector<AnovaRow> rows;
    double sum = regression.sse;
    for (const Term& term : regression.terms) {
        if (term.isIntercept())
            continue;
        const std::vector<Eigen::Index> at = positionsOf(regression, term);
        const Eigen::VectorXd beta = regression.solution.beta(at);
        const Eigen::MatrixXd covariance = regression.solution.covariance(at, at);
        const double ss = std::max(beta.dot(algebra::PivotedCholesky(covariance).solve(beta)), 0.0);
        rows.push_back(
            againstResidual(regression, nameOf(term, regression.factors), static_cast<int>(at.size()), ss));
        sum += ss;
    }
    for (AnovaRow& row : rows) {
        if (sum > 0)
            row.contribution = 100 * row.ss / sum;
    }
    return rows;
}

std::vector<AnovaRow> sequentialRowsOf(const Regression& regression)
{
    std::vector<AnovaRow> rows;
    for (const Term& term : regression.terms) {
        if (term.isIntercept())
            continue;
        const std::vector<Eigen::Index> at = positionsOf(regression, term);
        const double ss = regression.solution.sequential(at).sum();
        rows.push_back(
            againstResidual(regression, nameOf(term, regression.factors), static_cast<int>(at.size()), ss));
    }
    return rows;
}

} // namespace quadric::model
