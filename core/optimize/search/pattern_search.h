// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/candidate.h"
#include "core/optimize/search/search_space.h"

#include <functional>
#include <stop_token>

namespace quadric::optimize {

/// About `count` legal points spread over the region: random levels and categories, every fifth value of a
/// continuous factor at one of its ends. Fewer where constraints leave little room. The same seed gives the
/// same points.
std::vector<Eigen::VectorXd> legalSample(const SearchSpace& space, std::size_t count, std::uint64_t seed);

/// Local search for functions of the settings that are no merit of predicted responses: steps along every
/// factor and along what gained last (Hooke & Jeeves 1961), halved until they are small; legal points only.
class PatternSearch {
public:
    using Function = std::function<double(const Eigen::VectorXd&)>;

    static constexpr double kSmallestStep = 2e-5; ///< coded

    /// `smallestStep`: a search ends where no longer step gains.
    PatternSearch(const SearchSpace& space, Function function, std::stop_token stop = {},
                  double smallestStep = kSmallestStep);

    /// From a legal point; `step`: first step of continuous factors, coded.
    Candidate climb(const Eigen::VectorXd& start, double step = 0.25);

    /// The best of climbs from the best of the given points.
    Candidate best(const std::vector<Eigen::VectorXd>& points, std::size_t climbs);

private:
    Candidate at(const Eigen::VectorXd& x) const { return {x, m_function(x)}; }
    bool tryPoint(const Eigen::VectorXd& x, Candidate& best) const;
    bool explore(double step, Candidate& best) const;
    std::vector<double> placesOn(Eigen::Index axis, const Eigen::VectorXd& x, double step) const;

    const SearchSpace& m_space;
    Function m_function;
    std::stop_token m_stop;
    double m_smallestStep;
};

} // namespace quadric::optimize
