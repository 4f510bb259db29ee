// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

namespace quadric::model {

/// 95 % intervals of a factor's shares (Fit::importance).
struct ImportanceInterval {
    std::string factor;
    Interval main, total;
};

/// How surely the importance of the factors is known.
struct ImportanceCertainty {
    /// Quantiles of the shares of coefficients drawn from their distribution, each variance less what errors
    /// add to it on average and never below 0. Empty without an error estimate, or for models too large.
    std::vector<ImportanceInterval> factors;
    std::optional<double> p; ///< of the F test of all terms together: large where all shares may be noise
    bool isNoise() const;
};

ImportanceCertainty judgeImportance(const Fit& fit);

} // namespace quadric::model
