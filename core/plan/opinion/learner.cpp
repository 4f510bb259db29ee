// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/opinion/learner.h"

#include "core/model/base/distributions.h"

#include <opencv2/ml.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace quadric::plan {

LearningData LearningData::rows(const std::vector<Eigen::Index>& chosen) const
{
    LearningData part{features(chosen, Eigen::all), values(chosen), {}};
    for (const Eigen::Index row : chosen)
        part.groups.push_back(groups[static_cast<std::size_t>(row)]);
    return part;
}

std::vector<int> foldsOfGroups(const std::vector<int>& groups, int folds, std::uint64_t seed)
{
    std::vector<int> names = groups;
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    model::RandomBits random(seed);
    for (std::size_t i = names.size(); i > 1; --i)
        std::swap(names[i - 1], names[model::drawBelow(random, i)]);
    std::vector<int> of(groups.size());
    for (std::size_t row = 0; row < groups.size(); ++row)
        of[row] = static_cast<int>(std::ranges::find(names, groups[row]) - names.begin()) % folds;
    return of;
}

namespace {

constexpr int kMostNeighbors = 7;
constexpr double kSamePlace = 1e-9;

/// `leftOut`: runs of this group are not asked; −1: all are.
double meanOfNearest(const LearningData& data, const Eigen::VectorXd& at, int neighbors, int leftOut)
{
    std::vector<std::pair<double, double>> distances; // and values
    for (Eigen::Index row = 0; row < data.values.size(); ++row)
        if (leftOut < 0 || data.groups[static_cast<std::size_t>(row)] != leftOut)
            distances.emplace_back((data.features.row(row).transpose() - at).norm(), data.values[row]);
    if (distances.empty())
        return data.values.mean();
    const auto count = std::min<std::ptrdiff_t>(neighbors, std::ssize(distances));
    std::ranges::partial_sort(distances, distances.begin() + count);
    double sum = 0.0, weights = 0.0;
    for (auto each = distances.begin(); each != distances.begin() + count; ++each) {
        const double weight = 1.0 / (each->first + kSamePlace);
        sum += weight * each->second;
        weights += weight;
    }
    return sum / weights;
}

double errorLeftOut(const LearningData& data, int neighbors)
{
    double error = 0.0;
    for (Eigen::Index row = 0; row < data.values.size(); ++row)
        error +=
            std::pow(data.values[row] - meanOfNearest(data, data.features.row(row).transpose(), neighbors,
                                                      data.groups[static_cast<std::size_t>(row)]),
                     2);
    return error;
}

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

constexpr int kTrees = 300;
constexpr int kDeepest = 20;
constexpr int kLeastSplit = 5; ///< runs of a node that is still split (Breiman's for regression)
constexpr int kStarts = 5;
constexpr int kIterations = 400;
constexpr double kFirstStep = 0.1; ///< first step of resilient backpropagation
constexpr double kSpread = 0.8;    ///< values are brought between ± this, where the sigmoid bends little

/// OpenCV's learners take single precision: features as they are, values as shares of their range.
struct Samples {
    cv::Mat features, values;
    double middle = 0.0, half = 1.0;
};

cv::Mat rowOf(const Eigen::VectorXd& features)
{
    cv::Mat row(1, static_cast<int>(features.size()), CV_32F);
    for (int i = 0; i < row.cols; ++i)
        row.at<float>(0, i) = static_cast<float>(features[i]);
    return row;
}

Samples samplesOf(const LearningData& data)
{
    Samples samples;
    const double low = data.values.minCoeff(), high = data.values.maxCoeff();
    samples.middle = (low + high) / 2.0;
    samples.half = high > low ? (high - low) / 2.0 : 1.0;
    samples.values.create(static_cast<int>(data.values.size()), 1, CV_32F);
    for (Eigen::Index row = 0; row < data.values.size(); ++row) {
        samples.features.push_back(rowOf(data.features.row(row).transpose()));
        samples.values.at<float>(static_cast<int>(row)) =
            static_cast<float>((data.values[row] - samples.middle) / samples.half);
    }
    return samples;
}

cv::Ptr<cv::ml::ANN_MLP> trainOnce(const Samples& samples, int start)
{
    // The starting weights come from a generator inside that always begins alike: rows in another order are
    // another start.
    const int rows = samples.features.rows;
    cv::Mat features, values;
    for (int i = 0; i < rows; ++i) {
        const int row = (i + start * std::max(1, rows / kStarts)) % rows;
        features.push_back(samples.features.row(row));
        values.push_back(samples.values.row(row));
    }
    values *= kSpread;
    cv::Ptr<cv::ml::ANN_MLP> network = cv::ml::ANN_MLP::create();
    const int hidden = std::clamp(rows / 6, 2, 8) + start % 2;
    network->setLayerSizes(cv::Mat(cv::Vec3i(features.cols, hidden, 1)));
    network->setActivationFunction(cv::ml::ANN_MLP::SIGMOID_SYM, 1.0, 1.0);
    network->setTrainMethod(cv::ml::ANN_MLP::RPROP, kFirstStep);
    network->setTermCriteria(cv::TermCriteria(cv::TermCriteria::MAX_ITER, kIterations, 0.0));
    network->train(features, cv::ml::ROW_SAMPLE, values);
    return network;
}

} // namespace

Predictor trainNeighbors(const LearningData& data)
{
    int best = 1;
    double least = errorLeftOut(data, 1);
    for (int neighbors = 2; neighbors <= kMostNeighbors; ++neighbors)
        if (const double error = errorLeftOut(data, neighbors); error < least) {
            best = neighbors;
            least = error;
        }
    auto kept = std::make_shared<LearningData>(data);
    return [kept, best](const Eigen::VectorXd& at) { return meanOfNearest(*kept, at, best, -1); };
}

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

Predictor trainForest(const LearningData& data)
{
    const Samples samples = samplesOf(data);
    cv::Ptr<cv::ml::RTrees> forest = cv::ml::RTrees::create();
    forest->setMaxDepth(kDeepest);
    forest->setMinSampleCount(kLeastSplit);
    forest->setRegressionAccuracy(0.0F);
    forest->setActiveVarCount(std::max(1, samples.features.cols / 3));
    forest->setTermCriteria(cv::TermCriteria(cv::TermCriteria::MAX_ITER, kTrees, 0.0));
    forest->train(samples.features, cv::ml::ROW_SAMPLE, samples.values);
    return [forest, middle = samples.middle, half = samples.half](const Eigen::VectorXd& features) {
        return middle + half * static_cast<double>(forest->predict(rowOf(features)));
    };
}

Predictor trainPerceptron(const LearningData& data)
{
    const Samples samples = samplesOf(data);
    std::vector<cv::Ptr<cv::ml::ANN_MLP>> networks;
    networks.reserve(kStarts);
    for (int start = 0; start < kStarts; ++start)
        networks.push_back(trainOnce(samples, start));
    return [networks, middle = samples.middle, half = samples.half](const Eigen::VectorXd& features) {
        double sum = 0.0;
        cv::Mat answer;
        for (const cv::Ptr<cv::ml::ANN_MLP>& network : networks) {
            network->predict(rowOf(features), answer);
            sum += static_cast<double>(answer.at<float>(0));
        }
        return middle + half * sum / kSpread / static_cast<double>(networks.size());
    };
}

} // namespace quadric::plan
