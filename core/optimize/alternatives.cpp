// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/alternatives.h"

#include "core/optimize/local_search.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

constexpr double kStep = 0.5;

/// Where a factor is moved to.
std::vector<double> placesBeside(const SearchSpace& space, Eigen::Index i, const Eigen::VectorXd& x)
{
    const Axis& axis = space.axis(i);
    std::vector<double> places;
    if (axis.kind == Axis::Kind::Category)
        places = axis.coded;
    else if (axis.kind == Axis::Kind::Levels) {
        const auto at = std::lower_bound(axis.coded.begin(), axis.coded.end(), x[i]);
        if (at != axis.coded.begin())
            places.push_back(*(at - 1));
        if (at + 1 < axis.coded.end())
            places.push_back(*(at + 1));
    } else if (axis.kind == Axis::Kind::Continuous) {
        for (const double place : {x[i] - kStep, x[i] + kStep})
            if (place >= axis.low && place <= axis.high)
                places.push_back(space.snap(i, place));
    }
    std::erase(places, x[i]);
    return places;
}

} // namespace

std::vector<Candidate> alternativesTo(LineSearch& lines, const Candidate& best)
{
    const SearchSpace& space = lines.space();
    std::vector<Candidate> found;
    for (Eigen::Index i = 0; i < space.size(); ++i) {
        LocalSearch others(lines, {}, i);
        for (const double place : placesBeside(space, i, best.x)) {
            Candidate candidate = best;
            candidate.x[i] = place;
            candidate.merit = space.isLegal(candidate.x) ? lines.meritAt(candidate.x) : kNoMerit;
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
