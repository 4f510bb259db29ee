// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/opinion/learner.h"

#include <opencv2/core/eigen.hpp>
#include <opencv2/ml.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::plan {

namespace {

constexpr int kPenalties = 40;
constexpr double kSmallestPenalty = 1e-3; ///< of the one that leaves no term
constexpr int kMostSweeps = 1000;
constexpr double kEnough = 1e-7;
constexpr double kConstant = 1e-6; ///< spread of a column that does not vary, coded units

/// Features, their products and their squares, a row for each row.
Eigen::MatrixXd quadraticTerms(const Eigen::MatrixXd& features)
{
    const Eigen::Index p = features.cols();
    Eigen::MatrixXd terms(features.rows(), p + p * (p + 1) / 2);
    terms.leftCols(p) = features;
    Eigen::Index at = p;
    for (Eigen::Index i = 0; i < p; ++i)
        for (Eigen::Index j = i; j < p; ++j)
            terms.col(at++) = features.col(i).cwiseProduct(features.col(j));
    return terms;
}

/// Coordinate descent from the coefficients that are there; columns have mean 0 and mean square 1.
void descend(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, double penalty, Eigen::VectorXd& beta)
{
    const auto n = static_cast<double>(y.size());
    Eigen::VectorXd residual = y - x * beta;
    const double enough = kEnough * y.norm() / std::sqrt(n);
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double largest = 0.0;
        for (Eigen::Index j = 0; j < beta.size(); ++j) {
            const double before = beta[j];
            const double alone = x.col(j).dot(residual) / n + before;
            beta[j] = std::copysign(std::max(0.0, std::abs(alone) - penalty), alone);
            residual += x.col(j) * (before - beta[j]);
            largest = std::max(largest, std::abs(beta[j] - before));
        }
        if (largest <= enough)
            return;
    }
}

/// Infinite where the terms leave no degree of freedom.
double correctedAic(double squaredError, double n, double parameters)
{
    const double left = n - parameters - 1.0;
    return left > 0.0 ? n * std::log(squaredError / n) + 2.0 * parameters * n / left
                      : std::numeric_limits<double>::infinity();
}

constexpr int kTrees = 300;
constexpr int kDeepest = 20;
constexpr int kLeastSplit = 5; ///< runs of a node that is still split (Breiman's for regression)
constexpr int kIterations = 400;
constexpr double kFirstStep = 0.1; ///< of resilient backpropagation

/// OpenCV's learners take single precision.
cv::Mat floatsOf(const Eigen::MatrixXd& values)
{
    cv::Mat doubles, floats;
    cv::eigen2cv(values, doubles);
    doubles.convertTo(floats, CV_32F);
    return floats;
}

Predictor trained(const cv::Ptr<cv::ml::StatModel>& model, const LearningData& data)
{
    model->train(floatsOf(data.features), cv::ml::ROW_SAMPLE, floatsOf(data.values));
    return [model](const Eigen::VectorXd& features) {
        cv::Mat answer;
        model->predict(floatsOf(features.transpose()), answer);
        return static_cast<double>(answer.at<float>(0));
    };
}

} // namespace

Predictor trainLasso(const LearningData& data)
{
    const auto n = static_cast<double>(data.values.size());
    Eigen::MatrixXd x = quadraticTerms(data.features);
    const Eigen::RowVectorXd mean = x.colwise().mean();
    x.rowwise() -= mean;
    const Eigen::RowVectorXd scale = (x.colwise().squaredNorm() / n).cwiseSqrt().cwiseMax(kConstant);
    x.array().rowwise() /= scale.array();
    const Eigen::VectorXd y = data.values.array() - data.values.mean();
    const double largest = (x.transpose() * y).cwiseAbs().maxCoeff() / n;
    Eigen::VectorXd beta = Eigen::VectorXd::Zero(x.cols()), best = beta;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kPenalties; ++i) {
        descend(x, y, largest * std::pow(kSmallestPenalty, double(i) / (kPenalties - 1)), beta);
        const auto parameters = static_cast<double>((beta.array() != 0.0).count()) + 2.0; // mean, variance
        if (const double aic = correctedAic((y - x * beta).squaredNorm(), n, parameters); aic < least) {
            least = aic;
            best = beta;
        }
    }
    const Eigen::VectorXd slopes = best.cwiseQuotient(scale.transpose());
    const double atZero = data.values.mean() - mean.dot(slopes);
    return [slopes, atZero](const Eigen::VectorXd& features) {
        return atZero + quadraticTerms(features.transpose()).row(0).dot(slopes);
    };
}

Predictor trainForest(const LearningData& data)
{
    cv::Ptr<cv::ml::RTrees> forest = cv::ml::RTrees::create();
    forest->setMaxDepth(kDeepest);
    forest->setMinSampleCount(kLeastSplit);
    forest->setRegressionAccuracy(0.0F);
    forest->setActiveVarCount(std::max(1, static_cast<int>(data.features.cols()) / 3));
    forest->setTermCriteria(cv::TermCriteria(cv::TermCriteria::MAX_ITER, kTrees, 0.0));
    return trained(forest, data);
}

Predictor trainPerceptron(const LearningData& data)
{
    cv::Ptr<cv::ml::ANN_MLP> network = cv::ml::ANN_MLP::create();
    const int hidden = std::clamp(static_cast<int>(data.features.rows()) / 6, 2, 8);
    network->setLayerSizes(cv::Mat(cv::Vec3i(static_cast<int>(data.features.cols()), hidden, 1)));
    network->setActivationFunction(cv::ml::ANN_MLP::SIGMOID_SYM, 1.0, 1.0);
    network->setTrainMethod(cv::ml::ANN_MLP::RPROP, kFirstStep);
    network->setTermCriteria(cv::TermCriteria(cv::TermCriteria::MAX_ITER, kIterations, 0.0));
    return trained(network, data);
}

} // namespace quadric::plan
