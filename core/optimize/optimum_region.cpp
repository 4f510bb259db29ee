// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/optimum_region.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/model/base/distributions.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/canonical.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/search/local_search.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

Eigen::VectorXd termsAt(const model::Fit& fit, const Eigen::VectorXd& coded)
{
    return model::rowAt(fit.columns, study::CodedPoint(coded), fit.factors);
}

constexpr int kDraws = 300;
constexpr std::uint64_t kDrawSeed = 1;
constexpr double kSameWorth = 1e-9; ///< relative: differences by rounding

double errorOfDifference(const MeritDraws::Values& a, const MeritDraws::Values& b)
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
double differenceQuantile(std::vector<double>& largest)
{
    const auto place = largest.begin() + static_cast<std::ptrdiff_t>(0.95 * kDraws);
    std::ranges::nth_element(largest, place);
    return *place;
}

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

constexpr int kHalvings = 6; ///< of the way from a factor's range to the end of the region

double endOf(const Axis& axis, bool isHigh)
{
    if (axis.kind == Axis::Kind::Levels)
        return isHigh ? axis.coded.back() : axis.coded.front();
    return isHigh ? axis.high : axis.low;
}

bool reaches(const RegionTest& test, Eigen::Index axis, double coded, const Eigen::VectorXd& from)
{
    const std::optional<Eigen::VectorXd> best = test.findBestWith(axis, coded, from);
    return best && test.contains(*best);
}

/// The farthest value towards `end`, by halving the way to it.
double grow(const RegionTest& test, Eigen::Index axis, const Eigen::VectorXd& member, double end)
{
    if (member[axis] == end || reaches(test, axis, end, member))
        return end;
    double inside = member[axis], outside = end;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = test.space().snap(axis, (inside + outside) / 2.0);
        if (middle == inside || middle == outside)
            break;
        (reaches(test, axis, middle, member) ? inside : outside) = middle;
    }
    return inside;
}

FactorRange levelsOf(const RegionTest& test, Eigen::Index axis, const std::vector<Eigen::VectorXd>& members,
                     FactorRange range)
{
    const study::Factor& factor = test.space().factors()[static_cast<std::size_t>(axis)];
    for (std::size_t level = 0; level < factor.categories.size(); ++level) {
        const auto coded = static_cast<double>(level);
        const bool isMember =
            std::ranges::any_of(members, [&](const Eigen::VectorXd& x) { return x[axis] == coded; });
        if (isMember || (test.space().axis(axis).isMovable() && reaches(test, axis, coded, members.front())))
            range.levels.push_back(factor.categories[level]);
    }
    range.isWhole = range.levels.size() == factor.categories.size();
    return range;
}

/// Grown from the `members` of the region, of which there are some; all other factors may move meanwhile.
FactorRange rangeOf(const RegionTest& test, Eigen::Index axis, const std::vector<Eigen::VectorXd>& members)
{
    FactorRange range;
    range.factor = test.space().factors()[static_cast<std::size_t>(axis)].name;
    if (!test.space().isNumeric(axis))
        return levelsOf(test, axis, members, std::move(range));
    const auto [low, high] =
        std::ranges::minmax_element(members, {}, [axis](const Eigen::VectorXd& x) { return x[axis]; });
    const Axis& along = test.space().axis(axis);
    const double from = along.isMovable() ? grow(test, axis, *low, endOf(along, false)) : (*low)[axis];
    const double to = along.isMovable() ? grow(test, axis, *high, endOf(along, true)) : (*high)[axis];
    range.low = test.space().actualAt(axis, from);
    range.high = test.space().actualAt(axis, to);
    range.isWhole = along.isMovable() && from <= endOf(along, false) && to >= endOf(along, true);
    return range;
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
    std::vector<FactorRange> ranges;
    for (Eigen::Index axis = 0; axis < test.space().size(); ++axis)
        ranges.push_back(rangeOf(test, axis, members));
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

MeritDraws::MeritDraws(const Goals& goals, int draws, std::uint64_t seed)
    : m_wanted(goals.findWanted())
    , m_draws(draws)
{
    for (std::size_t i = 0; i < goals.count(); ++i) {
        if (takesPart(goals.desirabilities[i]))
            m_members.push_back({goals.fits[i], {}, {}});
    }
    model::NormalDraws numbers(seed);
    std::vector<Eigen::MatrixXd> normals;
    for (Member& member : m_members) {
        normals.push_back(numbers.matrix(std::ssize(member.fit->columns), draws));
        for (int draw = 0; draw < draws; ++draw)
            member.inflate.push_back(numbers.errorOverEstimate(member.fit->dfResidual));
    }
    correlate(normals);
    for (std::size_t i = 0; i < m_members.size(); ++i)
        m_members[i].deviations = algebra::times(
            m_members[i].fit->sigma * algebra::symmetricSquareRoot(m_members[i].fit->unscaledCovariance),
            normals[i]);
    if (m_members.size() == 1 && m_wanted[0].goal != study::Goal::Target) {
        const bool isFalling = model::isFalling(m_members[0].fit->transform);
        m_sign = (m_wanted[0].goal == study::Goal::Maximize) == isFalling ? -1.0 : 1.0;
    }
}

/// Errors of models with the same columns are correlated as their residuals are.
void MeritDraws::correlate(std::vector<Eigen::MatrixXd>& normals) const
{
    std::vector<const model::Fit*> fits;
    for (const Member& member : m_members)
        fits.push_back(member.fit);
    Eigen::MatrixXd correlation = residualCorrelations(fits);
    for (std::size_t a = 0; a < fits.size(); ++a) {
        for (std::size_t b = 0; b < fits.size(); ++b) {
            if (fits[a]->terms != fits[b]->terms)
                correlation(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) = 0.0;
        }
    }
    if (correlation.isIdentity(0.0))
        return;
    const Eigen::MatrixXd root = algebra::symmetricSquareRoot(correlation);
    const std::vector<Eigen::MatrixXd> apart = normals;
    for (std::size_t a = 0; a < m_members.size(); ++a) {
        normals[a].setZero();
        for (std::size_t b = 0; b < m_members.size(); ++b) {
            if (apart[b].rows() == normals[a].rows())
                normals[a] += root(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) * apart[b];
        }
    }
}

/// Of the predictions on the models' scales.
double MeritDraws::worth(const std::vector<double>& z) const
{
    if (m_sign != 0.0)
        return m_sign * z[0];
    std::vector<double> predicted;
    for (std::size_t i = 0; i < m_members.size(); ++i)
        predicted.push_back(model::toResponseUnit(*m_members[i].fit, z[i]));
    return overall(m_wanted, predicted);
}

double MeritDraws::predictedAt(const Eigen::VectorXd& coded) const
{
    std::vector<double> z;
    for (const Member& member : m_members)
        z.push_back(termsAt(*member.fit, coded).dot(member.fit->beta));
    return worth(z);
}

MeritDraws::Values MeritDraws::at(const Eigen::VectorXd& coded) const
{
    std::vector<double> predicted;
    std::vector<Eigen::VectorXd> deviations;
    for (const Member& member : m_members) {
        const Eigen::VectorXd row = termsAt(*member.fit, coded);
        predicted.push_back(row.dot(member.fit->beta));
        deviations.emplace_back(member.deviations.transpose() * row);
    }
    Values values;
    values.predicted = worth(predicted);
    std::vector<double> drawn(m_members.size()), studentized(m_members.size());
    for (int draw = 0; draw < m_draws; ++draw) {
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            drawn[i] = predicted[i] + deviations[i][draw];
            studentized[i] =
                predicted[i] + deviations[i][draw] * m_members[i].inflate[static_cast<std::size_t>(draw)];
        }
        values.drawn.push_back(worth(drawn));
        values.studentized.push_back(worth(studentized));
    }
    return values;
}

RegionTest::RegionTest(const study::Study& study, const std::vector<model::Fit>& fits,
                       const OptimizeOptions& options)
    : m_study(study)
    , m_fits(fits)
    , m_options(options)
    , m_goals(goalsOf(m_study, m_fits))
    , m_space(m_study, m_fits, m_options)
    , m_draws(m_goals, kDraws, kDrawSeed)
{
}

void RegionTest::setRivals(const std::vector<Eigen::VectorXd>& rivals)
{
    m_rivals.clear();
    for (const Eigen::VectorXd& x : rivals)
        m_rivals.push_back(m_draws.at(x));
}

bool RegionTest::contains(const Eigen::VectorXd& x) const
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
    return statistic <= differenceQuantile(largest);
}

std::optional<Eigen::VectorXd> RegionTest::findBestWith(Eigen::Index axis, double coded,
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
    PatternSearch search(inside, [this](const Eigen::VectorXd& at) { return m_draws.predictedAt(at); });
    return search.climb(start).x;
}

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
