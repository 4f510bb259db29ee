// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/term.h"

namespace quadric::design {

/// The columns of a model at many coded points at once.
class ColumnTable {
public:
    ColumnTable(const std::vector<model::Column>& columns, const std::vector<study::Factor>& factors);

    Eigen::Index columns() const { return static_cast<Eigen::Index>(m_products.size()); }

    /// points × columns for points × factors (coded; index of the level for categorical factors).
    Eigen::MatrixXd at(const Eigen::Ref<const Eigen::MatrixXd>& points) const;

private:
    /// A power of a numeric factor, or a sum-to-zero contrast of a categorical one.
    struct Part {
        Eigen::Index factor = 0;
        int power = 1;
        int contrast = -1;
        int lastLevel = 0;
    };
    void multiply(const Part& part, const Eigen::Ref<const Eigen::MatrixXd>& points,
                  Eigen::Ref<Eigen::ArrayXd> column) const;

    std::vector<std::vector<Part>> m_products;
};

/// x'Cx at many points at once: the variance of a prediction in units of σ², `covariance` C of the
/// coefficients.
class PredictionVariance {
public:
    PredictionVariance(const std::vector<model::Column>& columns, const std::vector<study::Factor>& factors,
                       const Eigen::MatrixXd& covariance);

    /// One value for each row of points × factors.
    Eigen::VectorXd at(const Eigen::Ref<const Eigen::MatrixXd>& points) const;

private:
    /// An entry on or above the diagonal that is not zero; those above count twice.
    struct Entry {
        Eigen::Index row = 0, column = 0;
        double weight = 0.0;
    };
    Eigen::ArrayXd sparse(const Eigen::MatrixXd& rows) const;
    Eigen::ArrayXd dense(const Eigen::MatrixXd& rows) const;

    ColumnTable m_table;
    Eigen::MatrixXd m_covariance;
    std::vector<Entry> m_entries; ///< empty where most of the covariance is not zero
};

} // namespace quadric::design
