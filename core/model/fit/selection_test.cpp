// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/selection_test.h"

#include "core/model/base/distributions.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/reduce.h"
#include "core/model/fit/regression.h"

#include <bit>
#include <cmath>
#include <map>
#include <random>

namespace quadric::model {

namespace {

constexpr int kPermutations = 999;
/// As many permutations that explain as much decide.
constexpr int kEnough = 20;
/// Below this nothing more needs to be known of p.
constexpr double kSurelySmall = 0.001;
/// Values of p that differ by less are the same model.
constexpr double kSameP = 1.0 + 1e-9;

/// The same for the same results, whatever made them.
std::uint64_t makeSeed(const Eigen::VectorXd& z)
{
    std::uint64_t seed = 0x9e3779b97f4a7c15U;
    for (const double value : z)
        seed = (seed ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
    return seed;
}

/// The runs of each block.
std::vector<std::vector<Eigen::Index>> groupByBlock(const Observations& data)
{
    std::map<int, std::vector<Eigen::Index>> groups;
    for (Eigen::Index i = 0; i < data.size(); ++i)
        groups[data.blocks[static_cast<std::size_t>(i)]].push_back(i);
    std::vector<std::vector<Eigen::Index>> result;
    result.reserve(groups.size());
    for (auto& [block, runs] : groups)
        result.push_back(std::move(runs));
    return result;
}

/// Fisher and Yates in every group.
void shuffle(const std::vector<std::vector<Eigen::Index>>& groups, std::mt19937_64& random,
             Eigen::VectorXd& z)
{
    for (const std::vector<Eigen::Index>& group : groups) {
        for (std::size_t i = group.size(); i > 1; --i)
            std::swap(z[group[i - 1]], z[group[random() % i]]);
    }
}

/// p of the overall F test; 1 without terms or error.
double computeOverallP(const Regression& regression)
{
    const auto terms = static_cast<int>(std::ssize(regression.columns)) - 1;
    if (terms == 0 || regression.df == 0)
        return 1.0;
    if (regression.sse <= 0.0)
        return 0.0;
    const double explained = std::max(regression.sstInBlocks - regression.sse, 0.0) / terms;
    return fProbability(explained / *regression.variance(), terms, regression.df);
}

/// Bonferroni over all subsets of the terms of the full quadratic model.
double boundP(const Fit& fit, double p)
{
    return p * std::exp2(countColumns(Order::Quadratic, fit.factors) - 1.0);
}

SelectionTest permute(const Fit& fit, double p)
{
    const FitOptions& options = fit.data->options;
    Observations data = fit.data->observations;
    const std::vector<std::vector<Eigen::Index>> groups = groupByBlock(data);
    std::mt19937_64 random(makeSeed(data.z));
    int asExtreme = 0;
    for (int i = 1; i <= kPermutations; ++i) {
        shuffle(groups, random, data.z);
        const AutomaticModel chosen = chooseModel(data, fit.factors, options);
        const Regression regression = solveRegression(data, fit.factors, chosen.terms, options.rankTolerance);
        asExtreme += computeOverallP(regression) <= p * kSameP ? 1 : 0;
        if (asExtreme == kEnough)
            return {static_cast<double>(asExtreme) / i, i};
    }
    return {(asExtreme + 1.0) / (kPermutations + 1.0), kPermutations};
}

std::optional<SelectionTest> compute(const Fit& fit)
{
    const Regression& regression = fit.data->regression;
    if (regression.df == 0 || regression.columns.size() < 2 || regression.sse <= 0.0)
        return std::nullopt;
    const double p = computeOverallP(regression);
    if (const double bound = boundP(fit, p); bound < kSurelySmall)
        return SelectionTest{bound, 0};
    return permute(fit, p);
}

} // namespace

bool isChosen(const Fit& fit)
{
    return fit.isOk() && !fit.choice.empty();
}

std::optional<SelectionTest> testSelection(const Fit& fit)
{
    if (!isChosen(fit) || fit.data == nullptr)
        return std::nullopt;
    return fit.data->selection->get([&] { return compute(fit); });
}

bool isSelectionTested(const Fit& fit)
{
    return !isChosen(fit) || fit.data == nullptr || fit.data->selection->isKnown();
}

std::optional<double> findModelP(const Fit& fit)
{
    if (const std::optional<SelectionTest> test = testSelection(fit))
        return test->p;
    const AnovaRow* row = rowOf(fit, "Model");
    return row == nullptr ? std::nullopt : row->p;
}

} // namespace quadric::model
