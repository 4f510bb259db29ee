// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/opinion/learner.h"

#include <opencv2/ml.hpp>

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

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
