// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <optional>

namespace quadric::optimize {

/// How far from the runs a setting may lie, measured by the leverage in the models.
class LeverageLimit {
public:
    /// No limit.
    LeverageLimit() = default;

    /// `largest`: the leverage that no model may exceed. Without it each model has its own limit, that above
    /// which a prediction is marked as an extrapolation. Fits that are not usable are passed over.
    LeverageLimit(const std::vector<model::Fit>& fits, std::optional<double> largest);

    bool isActive() const { return !m_models.empty(); }

    /// (limit − leverage)/limit, the smallest over the models; −1 for a category without a run. At least 0
    /// where a coded point is near enough to the runs.
    double margin(const Eigen::VectorXd& x) const;

private:
    struct Model {
        const model::Fit* fit = nullptr;
        double limit = 0.0;
    };
    std::vector<Model> m_models; ///< models with the same terms, runs and limit only once
};

} // namespace quadric::optimize
