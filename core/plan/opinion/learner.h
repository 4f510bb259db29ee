// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <functional>

namespace quadric::plan {

/// What a learner is trained with: a row of features for each run, and its value.
struct LearningData {
    Eigen::MatrixXd features;
    Eigen::VectorXd values;
};

/// What a trained learner says of a row of features.
using Predictor = std::function<double(const Eigen::VectorXd& features)>;

/// The least squares of all linear, interaction and square terms with the sum of absolute coefficients
/// bounded (lasso: Tibshirani 1996; coordinate descent: Friedman, Hastie & Tibshirani 2010), by the penalty
/// with the least AICc, terms that are not 0 counted as parameters (Zou, Hastie & Tibshirani 2007).
Predictor trainLasso(const LearningData& data);

/// 300 regression trees on bootstrap samples, a third of the features tried at each split (random forest:
/// Breiman 2001), by OpenCV.
Predictor trainForest(const LearningData& data);

/// One hidden layer of sigmoids, resilient backpropagation (Riedmiller & Braun 1993), by OpenCV.
Predictor trainPerceptron(const LearningData& data);

} // namespace quadric::plan
