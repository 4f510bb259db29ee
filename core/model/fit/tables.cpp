// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/tables.h"

#include "core/algebra/factorizations.h"
#include "core/model/base/distributions.h"
#include "core/model/base/term.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace quadric::model {

namespace {

/// The quantiles for |t|: that of columns between random blocks differs.
class Limits {
public:
    Limits(const Regression& regression, double confidence)
        : m_df(regression.errorDf({}))
        , m_within(regression.df > 0 ? tLimit(1 - confidence, m_df) : 0.0)
        , m_between(regression.hasRandomBlocks() ? tLimit(1 - confidence, regression.betweenDf) : m_within)
    {
    }

    double of(int df) const { return df == m_df ? m_within : m_between; }

private:
    int m_df;
    double m_within, m_between;
};

/// An estimate with everything that is tested about it.
Coefficient tested(const Regression& regression, std::string name, double estimate, double unscaledVariance,
                   int df, const Limits& limits)
{
    Coefficient row;
    row.term = std::move(name);
    row.estimate = estimate;
    const std::optional<double> variance = regression.variance();
    if (!variance)
        return row;
    row.se = std::sqrt(*variance * unscaledVariance);
    const double half = limits.of(df) * *row.se;
    row.low = row.estimate - half;
    row.high = row.estimate + half;
    if (*row.se > 0) {
        row.t = row.estimate / *row.se;
        row.p = tProbability(*row.t, df);
    }
    return row;
}

/// The sum of weights × coefficients.
Coefficient estimateOf(const Regression& regression, std::string name, const Eigen::VectorXd& weights,
                       const Limits& limits)
{
    std::vector<Eigen::Index> positions;
    for (Eigen::Index j = 0; j < weights.size(); ++j)
        if (weights[j] != 0.0)
            positions.push_back(j);
    return tested(regression, std::move(name), weights.dot(regression.solution.beta),
                  weights.dot(regression.solution.covariance * weights), regression.errorDf(positions),
                  limits);
}

/// Variance inflation: variance of the coefficient over what it would be with orthogonal columns.
std::optional<double> inflationOf(const Regression& regression, Eigen::Index column)
{
    if (column == 0)
        return std::nullopt;
    const Eigen::VectorXd centered = withoutMean(regression.x.col(column), regression.x.col(0));
    return regression.solution.covariance(column, column) * centered.squaredNorm();
}

Coefficient columnRow(const Regression& regression, const std::string& name, Eigen::Index column,
                      const Limits& limits)
{
    Coefficient row =
        tested(regression, name, regression.solution.beta[column],
               regression.solution.covariance(column, column), regression.errorDf({column}), limits);
    row.vif = inflationOf(regression, column);
    return row;
}

void appendBlocks(const Regression& regression, const Limits& limits, std::vector<Coefficient>& rows)
{
    const auto nameOfBlock = [&](std::size_t i) {
        return "block[" + std::to_string(regression.blocks[i]) + "]";
    };
    Eigen::VectorXd last = Eigen::VectorXd::Zero(regression.x.cols());
    for (Eigen::Index j = 1; j <= regression.blockColumns(); ++j) {
        rows.push_back(columnRow(regression, nameOfBlock(static_cast<std::size_t>(j - 1)), j, limits));
        last[j] = -1.0;
    }
    if (!regression.blocks.empty())
        rows.push_back(estimateOf(regression, nameOfBlock(regression.blocks.size() - 1), last, limits));
}

/// A term at the last level of one or more categorical factors, as a sum of its columns.
struct LastLevel {
    std::string name;
    Eigen::VectorXd weights;
};

/// All combinations of levels of a term's categorical factors; −1 for factors without levels.
std::vector<std::vector<int>> levelCombinations(const Regression& regression, const Term& term)
{
    std::vector<std::vector<int>> combinations{std::vector<int>(term.powers.size(), -1)};
    for (std::size_t i = 0; i < term.powers.size(); ++i) {
        if (term.powers[i] == 0 || regression.factors[i].isNumeric())
            continue;
        std::vector<std::vector<int>> expanded;
        for (const std::vector<int>& combination : combinations) {
            for (int level = 0; level < static_cast<int>(regression.factors[i].categories.size()); ++level) {
                expanded.push_back(combination);
                expanded.back()[i] = level;
            }
        }
        combinations = std::move(expanded);
    }
    return combinations;
}

/// Weight of a column at a combination of levels: its contrasts multiplied.
double weightAt(const Column& column, const std::vector<int>& levels,
                const std::vector<study::Factor>& factors)
{
    double weight = 1.0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const bool isLast = levels[i] == static_cast<int>(factors[i].categories.size()) - 1;
        if (levels[i] >= 0)
            weight *= levels[i] == column.contrast[i] ? 1.0 : (isLast ? -1.0 : 0.0);
    }
    return weight;
}

std::vector<LastLevel> estimateLastLevels(const Regression& regression, const Term& term)
{
    std::vector<LastLevel> result;
    for (const std::vector<int>& levels : levelCombinations(regression, term)) {
        LastLevel last{columnName(term, levels, regression.factors),
                       Eigen::VectorXd::Zero(regression.x.cols())};
        bool isColumn = false;
        for (std::size_t j = 0; j < regression.columns.size(); ++j) {
            isColumn |= regression.columns[j].name == last.name;
            if (regression.columns[j].term == term)
                last.weights[regression.positionOf(j)] =
                    weightAt(regression.columns[j], levels, regression.factors);
        }
        if (!isColumn)
            result.push_back(std::move(last));
    }
    return result;
}

/// coded = offset + slope × s, with s the actual value or its log2.
struct Line {
    double offset = 0.0, slope = 1.0;
};

Line codingLine(const study::Factor& factor)
{
    const auto scaled = [&](double v) { return factor.scale == study::Scale::Log2 ? std::log2(v) : v; };
    const double halfRange = (scaled(factor.high) - scaled(factor.low)) / 2;
    const double center = (scaled(factor.high) + scaled(factor.low)) / 2;
    return {-center / halfRange, 1 / halfRange};
}

double binomial(int n, int k)
{
    double value = 1.0;
    for (int i = 1; i <= k; ++i)
        value *= static_cast<double>(n - k + i) / i;
    return value;
}

/// Replaces coded^power of one factor by its powers of s.
std::vector<ActualTerm> expandFactor(const std::vector<ActualTerm>& terms, std::size_t factor,
                                     const Line& line)
{
    std::vector<ActualTerm> expanded;
    for (const ActualTerm& term : terms) {
        const int power = term.powers[factor];
        for (int k = 0; k <= power; ++k) {
            expanded.push_back(term);
            expanded.back().powers[factor] = k;
            expanded.back().estimate *=
                binomial(power, k) * std::pow(line.slope, k) * std::pow(line.offset, power - k);
        }
    }
    return expanded;
}

std::vector<ActualTerm> expandColumn(const Column& column, double beta,
                                     const std::vector<study::Factor>& factors)
{
    std::vector<ActualTerm> terms{{column.term.powers, column.contrast, beta}};
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i].isNumeric() && column.term.powers[i] > 0)
            terms = expandFactor(terms, i, codingLine(factors[i]));
    }
    return terms;
}

void add(const ActualTerm& term, std::vector<ActualTerm>& sum)
{
    for (ActualTerm& known : sum) {
        if (known.powers == term.powers && known.contrast == term.contrast) {
            known.estimate += term.estimate;
            return;
        }
    }
    sum.push_back(term);
}

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
    return tested(std::move(source), df, ss, regression.variance(), regression.errorDf({}));
}

/// Of the columns of one term.
AnovaRow termRow(const Regression& regression, const Term& term, const std::vector<Eigen::Index>& at,
                 double ss)
{
    return tested(nameOf(term, regression.factors), static_cast<int>(at.size()), ss, regression.variance(),
                  regression.errorDf(at));
}

/// The row of the analysis of variance that a term is counted in. Terms are in canonical order, so that each
/// group is one stretch of them.
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

std::vector<Coefficient> makeCoefficients(const Regression& regression, double confidence)
{
    const Limits limits(regression, confidence);
    std::vector<Coefficient> rows;
    for (const Term& term : regression.terms) {
        std::size_t count = 0;
        for (std::size_t j = 0; j < regression.columns.size(); ++j) {
            if (regression.columns[j].term != term)
                continue;
            ++count;
            rows.push_back(
                columnRow(regression, regression.columns[j].name, regression.positionOf(j), limits));
        }
        if (term.isIntercept())
            appendBlocks(regression, limits, rows);
        else if (count == columnsOf({term}, regression.factors).size()) { // none is aliased
            for (LastLevel& last : estimateLastLevels(regression, term))
                rows.push_back(estimateOf(regression, std::move(last.name), last.weights, limits));
        }
    }
    return rows;
}

std::vector<ActualTerm> actualPolynomial(const std::vector<Column>& columns, const Eigen::VectorXd& beta,
                                         const std::vector<study::Factor>& factors)
{
    std::vector<ActualTerm> sum;
    sum.reserve(columns.size());
    for (const Column& column : columns)
        sum.push_back({column.term.powers, column.contrast, 0.0});
    for (std::size_t j = 0; j < columns.size(); ++j) {
        for (const ActualTerm& term : expandColumn(columns[j], beta[static_cast<Eigen::Index>(j)], factors))
            add(term, sum);
    }
    return sum;
}

std::vector<ActualCoefficient> makeActualCoefficients(const Regression& regression)
{
    Eigen::VectorXd beta(std::ssize(regression.columns));
    for (std::size_t j = 0; j < regression.columns.size(); ++j)
        beta[static_cast<Eigen::Index>(j)] = regression.solution.beta[regression.positionOf(j)];
    const std::vector<ActualTerm> terms = actualPolynomial(regression.columns, beta, regression.factors);
    std::vector<ActualCoefficient> coefficients;
    coefficients.reserve(terms.size());
    for (const ActualTerm& term : terms)
        coefficients.push_back(
            {columnName(Term{term.powers}, term.contrast, regression.factors), term.estimate});
    return coefficients;
}

PureError computePureError(const Observations& data, const std::vector<int>& replicateGroups)
{
    std::map<int, std::vector<Eigen::Index>> groups;
    for (std::size_t i = 0; i < replicateGroups.size(); ++i)
        groups[replicateGroups[i]].push_back(static_cast<Eigen::Index>(i));

    PureError pureError;
    for (const auto& [number, members] : groups) {
        const Eigen::VectorXd repeats = data.z(members);
        const double ss = (repeats.array() - repeats.mean()).matrix().squaredNorm();
        pureError.df += static_cast<int>(members.size()) - 1;
        if (ss > roundingSumOfSquares(repeats.cwiseAbs().maxCoeff(), repeats.size()))
            pureError.ss += ss;
    }
    return pureError;
}

std::vector<AnovaRow> makeAnovaRows(const Regression& regression, const PureError& pureError)
{
    std::vector<AnovaRow> rows;
    appendModel(regression, rows);
    AnovaRow residual{"Residual", regression.df, regression.sse, regression.variance(), {}, {}, {}};
    rows.push_back(std::move(residual));
    appendLackOfFit(regression, pureError, rows);
    rows.push_back({"Total", regression.n - 1, regression.sst, {}, {}, {}, {}});
    return rows;
}

std::vector<AnovaRow> makeTermRows(const Regression& regression)
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
        rows.push_back(termRow(regression, term, at, ss));
        sum += ss;
    }
    for (AnovaRow& row : rows) {
        if (sum > 0)
            row.contribution = 100 * row.ss / sum;
    }
    return rows;
}

std::vector<AnovaRow> makeSequentialRows(const Regression& regression)
{
    std::vector<AnovaRow> rows;
    for (const Term& term : regression.terms) {
        if (term.isIntercept())
            continue;
        const std::vector<Eigen::Index> at = positionsOf(regression, term);
        const double ss = regression.solution.sequential(at).sum();
        rows.push_back(termRow(regression, term, at, ss));
    }
    return rows;
}

} // namespace quadric::model
