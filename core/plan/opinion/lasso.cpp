// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/opinion/learner.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace quadric::plan {

namespace {

constexpr int kPenalties = 40;
constexpr double kSmallestPenalty = 1e-3; ///< of the one that leaves no term
constexpr int kInnerFolds = 5;
constexpr int kMostSweeps = 1000;
constexpr double kEnough = 1e-7;

/// Features, their products and their squares.
Eigen::VectorXd quadraticTerms(const Eigen::VectorXd& x)
{
    const Eigen::Index p = x.size();
    Eigen::VectorXd terms(p + p * (p + 1) / 2);
    terms.head(p) = x;
    Eigen::Index at = p;
    for (Eigen::Index i = 0; i < p; ++i)
        for (Eigen::Index j = i; j < p; ++j)
            terms[at++] = x[i] * x[j];
    return terms;
}

/// Columns with mean 0 and mean square 1; constant ones are 0.
struct Standardized {
    Eigen::MatrixXd terms;
    Eigen::VectorXd mean, scale;
    double intercept = 0.0;
    Eigen::VectorXd values;
};

Standardized standardize(const LearningData& data)
{
    Standardized result;
    const Eigen::Index n = data.features.rows();
    result.terms.resize(n, quadraticTerms(data.features.row(0)).size());
    for (Eigen::Index row = 0; row < n; ++row)
        result.terms.row(row) = quadraticTerms(data.features.row(row)).transpose();
    result.mean = result.terms.colwise().mean();
    result.terms.rowwise() -= result.mean.transpose();
    result.scale = (result.terms.colwise().squaredNorm() / static_cast<double>(n)).cwiseSqrt();
    for (Eigen::Index j = 0; j < result.scale.size(); ++j) {
        result.scale[j] = result.scale[j] > 1e-12 ? result.scale[j] : 0.0;
        result.terms.col(j) *= result.scale[j] > 0.0 ? 1.0 / result.scale[j] : 0.0;
    }
    result.intercept = data.values.mean();
    result.values = data.values.array() - result.intercept;
    return result;
}

double shrunk(double value, double by)
{
    return value > by ? value - by : value < -by ? value + by : 0.0;
}

/// Coordinate descent from the coefficients that are there.
void descend(const Standardized& data, double penalty, Eigen::VectorXd& beta)
{
    const auto n = static_cast<double>(data.values.size());
    Eigen::VectorXd residual = data.values - data.terms * beta;
    const double enough = kEnough * std::sqrt(data.values.squaredNorm() / n + 1e-300);
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double largest = 0.0;
        for (Eigen::Index j = 0; j < beta.size(); ++j) {
            if (data.scale[j] == 0.0)
                continue;
            const double before = beta[j];
            beta[j] = shrunk(data.terms.col(j).dot(residual) / n + before, penalty);
            if (beta[j] != before)
                residual += data.terms.col(j) * (before - beta[j]);
            largest = std::max(largest, std::abs(beta[j] - before));
        }
        if (largest <= enough)
            return;
    }
}

std::vector<double> penaltiesFor(const Standardized& data)
{
    const double largest = (data.terms.transpose() * data.values).cwiseAbs().maxCoeff() /
                           static_cast<double>(data.values.size());
    std::vector<double> penalties;
    for (int i = 0; i < kPenalties; ++i)
        penalties.push_back(largest * std::pow(kSmallestPenalty, double(i) / (kPenalties - 1)));
    return penalties;
}

double predictWith(const Standardized& data, const Eigen::VectorXd& beta, const Eigen::VectorXd& features)
{
    const Eigen::VectorXd centered = quadraticTerms(features) - data.mean;
    double value = data.intercept;
    for (Eigen::Index j = 0; j < beta.size(); ++j)
        if (beta[j] != 0.0)
            value += beta[j] * centered[j] / data.scale[j];
    return value;
}

/// Squared errors at groups left out, per penalty.
std::vector<double> errorsLeftOut(const LearningData& data, const std::vector<double>& penalties)
{
    std::vector<double> errors(penalties.size(), 0.0);
    const std::vector<int> folds = foldsOfGroups(data.groups, kInnerFolds, 1);
    for (int fold = 0; fold < kInnerFolds; ++fold) {
        std::vector<Eigen::Index> in, out;
        for (std::size_t row = 0; row < folds.size(); ++row)
            (folds[row] == fold ? out : in).push_back(static_cast<Eigen::Index>(row));
        if (in.empty() || out.empty())
            continue;
        const Standardized train = standardize(data.rows(in));
        Eigen::VectorXd beta = Eigen::VectorXd::Zero(train.terms.cols());
        for (std::size_t i = 0; i < penalties.size(); ++i) {
            descend(train, penalties[i], beta);
            for (const Eigen::Index row : out)
                errors[i] += std::pow(
                    data.values[row] - predictWith(train, beta, data.features.row(row).transpose()), 2);
        }
    }
    return errors;
}

} // namespace

Predictor trainLasso(const LearningData& data)
{
    auto train = std::make_shared<Standardized>(standardize(data));
    const std::vector<double> penalties = penaltiesFor(*train);
    const std::vector<double> errors = errorsLeftOut(data, penalties);
    const auto best = std::ranges::min_element(errors) - errors.begin();
    Eigen::VectorXd beta = Eigen::VectorXd::Zero(train->terms.cols());
    for (std::ptrdiff_t i = 0; i <= best; ++i)
        descend(*train, penalties[static_cast<std::size_t>(i)], beta);
    return [train, beta](const Eigen::VectorXd& features) { return predictWith(*train, beta, features); };
}

} // namespace quadric::plan
