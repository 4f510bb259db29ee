// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/optimum_region.h"

#include "core/optimize/range_finder.h"
#include "core/optimize/region_test.h"
#include "core/optimize/search/pattern_search.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

constexpr std::size_t kRivals = 80;
constexpr int kRounds = 3;
constexpr double kMuchSmaller = 0.7; ///< a region this much smaller than its rivals' box gets nearer ones

/// What has to be there for a region; empty where it is.
std::string findMissing(const Goals& goals)
{
    bool hasGoal = false;
    for (std::size_t i = 0; i < goals.count(); ++i) {
        if (!takesPart(goals.desirabilities[i]))
            continue;
        hasGoal = true;
        if (goals.fits[i]->predictor)
            return "The settings that may be the best are computed for polynomials only; a Gaussian process "
                   "predicts " +
                   goals.fits[i]->response + ".";
        if (goals.fits[i]->dfResidual == 0 || !(goals.fits[i]->sigma > 0.0))
            return "The model leaves no error to judge " + goals.fits[i]->response + " by.";
    }
    return hasGoal ? std::string() : "No response has a goal, a weight above 0 and a usable model.";
}

/// One range of coded values for each axis.
using CodedBox = std::vector<Range>;

CodedBox wholeBox(const SearchSpace& space)
{
    CodedBox box;
    for (const Axis& axis : space.axes())
        box.push_back({axis.low, axis.high});
    return box;
}

/// The points of a sample drawn together into a box, as far as they can be run there.
std::vector<Eigen::VectorXd> drawInto(const CodedBox& box, std::vector<Eigen::VectorXd> sample,
                                      const SearchSpace& space)
{
    for (Eigen::VectorXd& x : sample) {
        for (Eigen::Index i = 0; i < x.size(); ++i) {
            const Axis& axis = space.axis(i);
            const Range& range = box[static_cast<std::size_t>(i)];
            if (axis.isMovable() && axis.isNumeric() && axis.high > axis.low)
                x[i] = space.snap(i, range.low + (x[i] - axis.low) / (axis.high - axis.low) *
                                                     (range.high - range.low));
        }
    }
    std::erase_if(sample, [&space](const Eigen::VectorXd& x) { return !space.isLegal(x); });
    return sample;
}

/// The box of the ranges, in coded units; categorical factors keep all their levels.
CodedBox boxOf(const std::vector<FactorRange>& ranges, const SearchSpace& space)
{
    CodedBox box = wholeBox(space);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (space.isNumeric(static_cast<Eigen::Index>(i)))
            box[i] = {space.coding().toCoded(i, ranges[i].low), space.coding().toCoded(i, ranges[i].high)};
    }
    return box;
}

/// Part of the one box that the other one fills.
double shareOf(const CodedBox& inner, const CodedBox& outer)
{
    double share = 1.0;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (outer[i].high > outer[i].low)
            share *= std::min(1.0, (inner[i].high - inner[i].low) / (outer[i].high - outer[i].low));
    }
    return share;
}

/// The ranges of all factors from one round of rivals, drawn into `box`, and the best place.
std::vector<FactorRange> findRangesIn(const CodedBox& box, const Eigen::VectorXd& place,
                                      const std::vector<Eigen::VectorXd>& sample, RegionTest& test)
{
    std::vector<Eigen::VectorXd> members = drawInto(box, sample, test.space());
    members.push_back(place);
    test.setRivals(members);
    std::erase_if(members, [&test](const Eigen::VectorXd& x) { return !test.contains(x); });
    if (members.empty())
        members.push_back(place);
    const RangeFinder finder(test);
    std::vector<FactorRange> ranges;
    for (Eigen::Index axis = 0; axis < test.space().size(); ++axis)
        ranges.push_back(finder.rangeOf(axis, members));
    return ranges;
}

/// A region that is much smaller than the box of its rivals is looked at once more, with nearer ones.
std::vector<FactorRange> findRanges(const Eigen::VectorXd& place, const std::vector<Eigen::VectorXd>& sample,
                                    RegionTest& test)
{
    CodedBox box = wholeBox(test.space());
    std::vector<FactorRange> ranges;
    for (int round = 0; round < kRounds; ++round) {
        ranges = findRangesIn(box, place, sample, test);
        const CodedBox inner = boxOf(ranges, test.space());
        if (shareOf(inner, box) > kMuchSmaller)
            break;
        box = inner;
    }
    return ranges;
}

} // namespace

bool OptimumRegion::contains(const study::Settings& settings) const
{
    if (m_test == nullptr)
        return false;
    const SearchSpace space = m_test->space(); // has scratch memory of its own
    const std::optional<Eigen::VectorXd> x = space.pointAt(settings);
    return x && space.isLegal(*x) && m_test->contains(*x);
}

OptimumRegion findOptimumRegion(const study::Study& study, const std::vector<model::Fit>& fits,
                                const Optimum& best, const OptimizeOptions& options)
{
    OptimumRegion region;
    region.m_message = best.isOk() ? findMissing(goalsOf(study, fits)) : best.message;
    if (!region.m_message.empty())
        return region;
    const auto test = std::make_shared<RegionTest>(study, fits, options);
    const std::optional<Eigen::VectorXd> place = test->space().pointAt(best.settings);
    if (!place)
        return region;
    const std::vector<Eigen::VectorXd> sample = legalSample(test->space(), kRivals, options.seed);
    region.m_factors = findRanges(*place, sample, *test);
    const auto members =
        std::ranges::count_if(sample, [&](const Eigen::VectorXd& x) { return test->contains(x); });
    region.m_share = sample.empty() ? 0.0 : static_cast<double>(members) / static_cast<double>(sample.size());
    region.m_test = test;
    return region;
}

} // namespace quadric::optimize
