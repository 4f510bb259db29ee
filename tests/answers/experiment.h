// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <random>

namespace quadric::answers {

using Random = std::mt19937_64;

/// The same on every machine, unlike the distributions of the standard library.
double drawUniform(Random& random, double low, double high);
double drawNormal(Random& random);

/// What really happens: a full quadratic of the coded factors A, B, …
struct Truth {
    double constant = 0.0;
    Eigen::VectorXd linear;
    Eigen::MatrixXd quadratic; ///< symmetric: x'Qx
    double sigma = 1.0;        ///< of single runs

    double at(const study::CodedPoint& x) const;
};

/// A study with numeric factors A, B, … from −1 to 1, the response y to be maximized, and the runs of this
/// type of design in run order, nothing measured.
study::Study planned(const std::string& designType, int factors, int runs = 0);

/// Every effect drawn from a normal distribution: linear ones with standard deviation `size`, interactions
/// and squares with half of that.
Truth drawTruth(Random& random, int factors, double size, double sigma = 1.0);

/// Nothing but noise.
Truth noiseOnly(int factors, double sigma = 1.0);

/// All pending runs done, with the truth and noise for y.
study::Study measured(study::Study study, const Truth& truth, Random& random);

} // namespace quadric::answers
