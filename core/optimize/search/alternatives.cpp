// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/lattice.h"
#include "core/optimize/search/search.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

constexpr double kStep = 0.5;

/// Where a factor is moved to.
std::vector<double> placesBeside(const SearchSpace& space, Eigen::Index i, const Eigen::VectorXd& x)
{
    const Axis& axis = space.axis(i);
    std::vector<double> places;
    if (axis.kind != Axis::Kind::Continuous) {
        places = space.neighbors(i, x[i], kStep);
    } else {
        for (const double place : {x[i] - kStep, x[i] + kStep})
            if (place >= axis.low && place <= axis.high)
                places.push_back(space.snap(i, place));
    }
    std::erase(places, x[i]);
    return places;
}

} // namespace

std::vector<Candidate> Search::peaksFrom(std::vector<Candidate> found)
{
    Lattice lattice(m_lines);
    for (Candidate& candidate : found)
        if (!m_stop.stop_requested())
            lattice.climb(candidate);
    std::erase_if(found, [&lattice](const Candidate& candidate) { return !lattice.isPeak(candidate); });
    std::ranges::stable_sort(found, std::greater<>(), &Candidate::merit);
    return found;
}

bool Search::isPeak(const Candidate& candidate)
{
    return Lattice(m_lines).isPeak({candidate.x, m_lines.meritAt(candidate.x)});
}

std::vector<Candidate> Search::alternatives(const Candidate& best)
{
    std::vector<Candidate> found;
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        LocalSearch others(m_lines, i);
        for (const double place : placesBeside(m_space, i, best.x)) {
            Candidate candidate = best;
            candidate.x[i] = place;
            candidate.merit = m_space.isLegal(candidate.x) ? m_lines.meritAt(candidate.x) : kNoMerit;
            others.climb(candidate);
            if (candidate.merit == kNoMerit)
                continue;
            others.polishContinuous(candidate);
            found.push_back(std::move(candidate));
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    return found;
}

} // namespace quadric::optimize
