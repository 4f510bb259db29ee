// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/repeated_validation.h"

#include "core/model/select/cross_validation.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

RepeatedValidation repeatValidation(const Fit& fit, int folds, int repeats)
{
    RepeatedValidation repeated;
    repeated.folds = folds;
    std::vector<double> errors, shares;
    for (int seed = 1; seed <= repeats; ++seed) {
        const CrossValidation single = crossValidate(fit, folds, static_cast<std::uint64_t>(seed));
        repeated.message = single.message;
        if (single.error)
            errors.push_back(*single.error);
        if (single.r2)
            shares.push_back(*single.r2);
    }
    if (errors.empty())
        return repeated;
    const auto meanOf = [](const std::vector<double>& values) {
        double sum = 0.0;
        for (const double value : values)
            sum += value;
        return sum / static_cast<double>(values.size());
    };
    repeated.message.clear();
    repeated.repeats = static_cast<int>(errors.size());
    repeated.error = meanOf(errors);
    for (const double error : errors)
        repeated.errorSd += (error - repeated.error) * (error - repeated.error);
    repeated.errorSd = std::sqrt(repeated.errorSd / std::max(1.0, static_cast<double>(errors.size()) - 1.0));
    if (!shares.empty()) {
        repeated.r2 = meanOf(shares);
        repeated.r2Low = *std::ranges::min_element(shares);
        repeated.r2High = *std::ranges::max_element(shares);
    }
    return repeated;
}

} // namespace quadric::model
