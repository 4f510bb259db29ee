// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace quadric::plan {

/// What a learner is trained with: a row of features for each run, its value, and its group: runs of one
/// setting have the same number.
struct LearningData {
    Eigen::MatrixXd features;
    Eigen::VectorXd values;
    std::vector<int> groups;

    /// The rows with these numbers.
    LearningData rows(const std::vector<Eigen::Index>& chosen) const;
};

/// What a trained learner says of a row of features.
using Predictor = std::function<double(const Eigen::VectorXd& features)>;

/// Trains a learner on rows; the same for the same rows and seed on every machine with the same libraries.
using Learner = std::function<Predictor(const LearningData& data)>;

/// The least squares of all linear, interaction and square terms with the sum of absolute coefficients
/// bounded (lasso: Tibshirani 1996; coordinate descent: Friedman, Hastie & Tibshirani 2010), by the penalty
/// that predicts groups left out best in five folds.
Predictor trainLasso(const LearningData& data);

/// The mean of the nearest runs, weighted by one over their distance; as many of them (1 to 7) as predict
/// groups left out best.
Predictor trainNeighbors(const LearningData& data);

/// 300 regression trees on bootstrap samples, a third of the features tried at each split (random forest:
/// Breiman 2001), by OpenCV.
Predictor trainForest(const LearningData& data);

/// One hidden layer of sigmoids, resilient backpropagation (Riedmiller & Braun 1993) with five starts, whose
/// mean it says, by OpenCV.
Predictor trainPerceptron(const LearningData& data);

/// Folds of whole groups, about equally large: per row the number of its fold.
std::vector<int> foldsOfGroups(const std::vector<int>& groups, int folds, std::uint64_t seed);

} // namespace quadric::plan
