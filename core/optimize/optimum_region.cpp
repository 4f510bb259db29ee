// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/optimum_region.h"

#include "core/optimize/merit_draws.h"
#include "core/optimize/search/pattern_search.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace quadric::optimize {

namespace {

constexpr int kDraws = 300;
constexpr std::size_t kRivals = 80;
constexpr std::uint64_t kDrawSeed = 1;
constexpr int kRounds = 3;
constexpr double kMuchSmaller = 0.7; ///< a region this much smaller than its rivals' box gets nearer ones
constexpr int kHalvings = 6;         ///< of the way from a factor's range to the end of the region
constexpr double kSameWorth = 1e-9;  ///< relative: differences by rounding

/// What has to be there for a region; empty where it is.
std::string findMissing(const Goals& goals)
{
    bool hasGoal = false;
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const Desirability& desirability = goals.desirabilities[i];
        if (desirability.goal == study::Goal::None || !(desirability.weight > 0.0))
            continue;
        hasGoal = true;
        if (goals.fits[i]->dfResidual == 0 || !(goals.fits[i]->sigma > 0.0))
            return "The model leaves no error to judge " + goals.fits[i]->response + " by.";
    }
    return hasGoal ? std::string() : "No response has a goal, a weight above 0 and a usable model.";
}

} // namespace

/// Judges single settings against the rivals.
class OptimumRegion::Test {
public:
    Test(const study::Study& study, const std::vector<model::Fit>& fits, const OptimizeOptions& options)
        : m_study(study)
        , m_fits(fits)
        , m_options(options)
        , m_goals(goalsOf(m_study, m_fits))
        , m_space(m_study, m_fits, m_options)
        , m_draws(m_goals, kDraws, kDrawSeed)
    {
    }

    const SearchSpace& space() const { return m_space; }
    const Goals& goals() const { return m_goals; }
    double worthAt(const Eigen::VectorXd& x) const { return m_draws.predictedAt(x); }

    void setRivals(const std::vector<Eigen::VectorXd>& rivals)
    {
        m_rivals.clear();
        for (const Eigen::VectorXd& x : rivals)
            m_rivals.push_back(m_draws.at(x));
    }

    bool contains(const Eigen::VectorXd& x) const
    {
        const MeritDraws::Values own = m_draws.at(x);
        const double slack = kSameWorth * (std::abs(own.predicted) + 1e-300);
        double statistic = 0.0;
        std::vector<double> largest(kDraws, 0.0);
        for (const MeritDraws::Values& rival : m_rivals) {
            const double gain = rival.predicted - own.predicted;
            const double error = errorOfDifference(rival, own);
            if (error <= slack) {
                if (gain > slack)
                    return false;
                continue;
            }
            statistic = std::max(statistic, gain / error);
            for (std::size_t i = 0; i < largest.size(); ++i) {
                const double chance = rival.studentized[i] - own.studentized[i] - gain;
                largest[i] = std::max(largest[i], chance / error);
            }
        }
        return statistic <= limitOf(largest);
    }

    /// The best setting with one factor held at a coded value; empty where none can be run.
    std::optional<Eigen::VectorXd> bestWith(Eigen::Index axis, double coded,
                                            const Eigen::VectorXd& from) const
    {
        Eigen::VectorXd start = from;
        start[axis] = m_space.snap(axis, coded);
        OptimizeOptions held = m_options;
        const std::string& name = m_space.factors()[static_cast<std::size_t>(axis)].name;
        held.fixed[name] = m_space.settingsAt(start).at(name);
        const SearchSpace inside(m_study, m_fits, held);
        if (!inside.isLegal(start)) {
            const std::optional<Eigen::VectorXd> legal = inside.nearest(start);
            if (!legal || !inside.isLegal(*legal))
                return std::nullopt;
            start = *legal;
        }
        PatternSearch search(inside, [this](const Eigen::VectorXd& x) { return worthAt(x); });
        return search.climb(start).x;
    }

private:
    static double errorOfDifference(const MeritDraws::Values& a, const MeritDraws::Values& b)
    {
        double sum = 0.0, squares = 0.0;
        const double gain = a.predicted - b.predicted;
        for (std::size_t i = 0; i < a.drawn.size(); ++i) {
            const double difference = a.drawn[i] - b.drawn[i] - gain;
            sum += difference;
            squares += difference * difference;
        }
        const auto count = static_cast<double>(a.drawn.size());
        return std::sqrt(std::max(0.0, squares / count - sum * sum / count / count));
    }

    /// The quantile of the largest differences by chance.
    static double limitOf(std::vector<double>& largest)
    {
        const auto place = largest.begin() + static_cast<std::ptrdiff_t>(0.95 * kDraws);
        std::ranges::nth_element(largest, place);
        return *place;
    }

    study::Study m_study;
    std::vector<model::Fit> m_fits;
    OptimizeOptions m_options;
    Goals m_goals;
    SearchSpace m_space;
    MeritDraws m_draws;
    std::vector<MeritDraws::Values> m_rivals;
};

namespace {

/// Grows the range of every factor from settings that belong to the region.
class RangeFinder {
public:
    RangeFinder(
        std::function<bool(const Eigen::VectorXd&)> contains,
        std::function<std::optional<Eigen::VectorXd>(Eigen::Index, double, const Eigen::VectorXd&)> bestWith,
        const SearchSpace& space)
        : m_contains(std::move(contains))
        , m_bestWith(std::move(bestWith))
        , m_space(space)
    {
    }

    /// `members` is not empty.
    FactorRange rangeOf(Eigen::Index axis, const std::vector<Eigen::VectorXd>& members) const
    {
        FactorRange range;
        range.factor = m_space.factors()[static_cast<std::size_t>(axis)].name;
        if (!m_space.isNumeric(axis))
            return levelsOf(axis, members, std::move(range));
        const auto [low, high] =
            std::ranges::minmax_element(members, {}, [axis](const Eigen::VectorXd& x) { return x[axis]; });
        const Axis& along = m_space.axis(axis);
        const double from = along.isMovable() ? grow(axis, *low, endOf(along, false)) : (*low)[axis];
        const double to = along.isMovable() ? grow(axis, *high, endOf(along, true)) : (*high)[axis];
        range.low = m_space.actualAt(axis, from);
        range.high = m_space.actualAt(axis, to);
        range.isWhole = along.isMovable() && from <= endOf(along, false) && to >= endOf(along, true);
        return range;
    }

private:
    static double endOf(const Axis& axis, bool isHigh)
    {
        if (axis.kind == Axis::Kind::Levels)
            return isHigh ? axis.coded.back() : axis.coded.front();
        return isHigh ? axis.high : axis.low;
    }

    bool reaches(Eigen::Index axis, double coded, const Eigen::VectorXd& from) const
    {
        const std::optional<Eigen::VectorXd> best = m_bestWith(axis, coded, from);
        return best && m_contains(*best);
    }

    /// The farthest value towards `end`, by halving the way to it.
    double grow(Eigen::Index axis, const Eigen::VectorXd& member, double end) const
    {
        if (member[axis] == end || reaches(axis, end, member))
            return end;
        double inside = member[axis], outside = end;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = m_space.snap(axis, (inside + outside) / 2.0);
            if (middle == inside || middle == outside)
                break;
            (reaches(axis, middle, member) ? inside : outside) = middle;
        }
        return inside;
    }

    FactorRange levelsOf(Eigen::Index axis, const std::vector<Eigen::VectorXd>& members,
                         FactorRange range) const
    {
        const study::Factor& factor = m_space.factors()[static_cast<std::size_t>(axis)];
        for (std::size_t level = 0; level < factor.categories.size(); ++level) {
            const auto coded = static_cast<double>(level);
            const bool isMember =
                std::ranges::any_of(members, [&](const Eigen::VectorXd& x) { return x[axis] == coded; });
            if (isMember || (m_space.axis(axis).isMovable() && reaches(axis, coded, members.front())))
                range.levels.push_back(factor.categories[level]);
        }
        range.isWhole = range.levels.size() == factor.categories.size();
        return range;
    }

    std::function<bool(const Eigen::VectorXd&)> m_contains;
    std::function<std::optional<Eigen::VectorXd>(Eigen::Index, double, const Eigen::VectorXd&)> m_bestWith;
    const SearchSpace& m_space;
};

} // namespace

bool OptimumRegion::contains(const study::Settings& settings) const
{
    if (m_test == nullptr)
        return false;
    const SearchSpace space = m_test->space(); // has scratch memory of its own
    const std::optional<Eigen::VectorXd> x = space.pointAt(settings);
    return x && space.isLegal(*x) && m_test->contains(*x);
}

namespace {

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

} // namespace

OptimumRegion findOptimumRegion(const study::Study& study, const std::vector<model::Fit>& fits,
                                const Optimum& best, const OptimizeOptions& options)
{
    OptimumRegion region;
    region.m_message = best.isOk() ? findMissing(goalsOf(study, fits)) : best.message;
    if (!region.m_message.empty())
        return region;
    const auto test = std::make_shared<OptimumRegion::Test>(study, fits, options);
    const SearchSpace& space = test->space();
    const std::optional<Eigen::VectorXd> place = space.pointAt(best.settings);
    if (!place)
        return region;
    const auto contains = [&test](const Eigen::VectorXd& x) { return test->contains(x); };
    const RangeFinder finder(
        contains,
        [&test](Eigen::Index axis, double coded, const Eigen::VectorXd& from) {
            return test->bestWith(axis, coded, from);
        },
        space);
    const std::vector<Eigen::VectorXd> sample = legalSample(space, kRivals, options.seed);
    CodedBox box = wholeBox(space);
    for (int round = 0; round < kRounds; ++round) {
        std::vector<Eigen::VectorXd> rivals = drawInto(box, sample, space);
        rivals.push_back(*place);
        test->setRivals(rivals);
        std::erase_if(rivals, [&contains](const Eigen::VectorXd& x) { return !contains(x); });
        if (rivals.empty())
            rivals.push_back(*place);
        region.m_factors.clear();
        for (Eigen::Index axis = 0; axis < space.size(); ++axis)
            region.m_factors.push_back(finder.rangeOf(axis, rivals));
        const CodedBox inner = boxOf(region.m_factors, space);
        if (shareOf(inner, box) > kMuchSmaller)
            break;
        box = inner;
    }
    const auto members = std::ranges::count_if(sample, contains);
    region.m_share = sample.empty() ? 0.0 : static_cast<double>(members) / static_cast<double>(sample.size());
    region.m_test = test;
    return region;
}

} // namespace quadric::optimize
