// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit_draws.h"
#include "core/optimize/search/search_space.h"

#include <optional>

namespace quadric::optimize {

/// Judges whether a setting may be the best one, against rival settings: none of them may be better by more
/// than the largest difference that chance makes in 5 % (see OptimumRegion).
class RegionTest {
public:
    /// Each response with a goal has residual degrees of freedom.
    RegionTest(const study::Study& study, const std::vector<model::Fit>& fits,
               const OptimizeOptions& options);

    const SearchSpace& space() const { return m_space; }

    /// Coded settings, each legal.
    void setRivals(const std::vector<Eigen::VectorXd>& rivals);

    bool contains(const Eigen::VectorXd& x) const;

    /// The best setting with one factor held at a coded value; empty where none can be run.
    std::optional<Eigen::VectorXd> findBestWith(Eigen::Index axis, double coded,
                                                const Eigen::VectorXd& from) const;

private:
    study::Study m_study;
    std::vector<model::Fit> m_fits;
    OptimizeOptions m_options;
    Goals m_goals;
    SearchSpace m_space;
    MeritDraws m_draws;
    std::vector<MeritDraws::Values> m_rivals;
};

} // namespace quadric::optimize
