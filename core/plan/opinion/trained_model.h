// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/opinion/opinion.h"

#include <functional>
#include <memory>

namespace quadric::plan {

/// Predicts the response, in its own unit, at a coded point.
using PointPredictor = std::function<double(const study::CodedPoint&)>;

/// The runs of a fit that models are trained with, and how they become rows of features.
class OpinionData {
public:
    OpinionData(const study::Study& study, const model::Fit& fit);

    std::size_t size() const { return m_rows.size(); }
    const std::vector<int>& groups() const { return m_groups; }
    const std::vector<study::CodedPoint>& points() const { return m_points; }
    double observed(std::size_t row) const { return m_observed[row]; }
    int run(std::size_t row) const { return m_rows[row]; }

    /// Trained on these rows. Throws std::runtime_error with the reason where that cannot be done.
    PointPredictor train(Rival rival, const std::vector<Eigen::Index>& rows) const;

private:
    study::Study studyWith(const std::vector<Eigen::Index>& rows) const;
    Eigen::VectorXd featuresAt(const study::CodedPoint& point) const;

    const study::Study& m_study;
    const model::Fit& m_fit;
    std::vector<int> m_rows, m_groups; ///< ids of the runs
    std::vector<study::CodedPoint> m_points;
    std::vector<double> m_observed; ///< response's own unit
    Eigen::VectorXd m_values;       ///< model's scale
};

} // namespace quadric::plan
