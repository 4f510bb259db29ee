// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/legal_set.h"

#include "core/design/random_draw.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

namespace quadric::design {

namespace {

/// Legal values of a factor, at most: finer grids are treated as continuous and rounded.
constexpr std::size_t kMostLegalValues = 2000;

/// Points that are looked at for the nearest legal one.
constexpr std::size_t kMostVisits = 50000;

/// Steps of continuous factors that constraints push away from a point, in coded units.
constexpr double kStep = 0.02;

/// Coded values this near to one another are the same.
constexpr double kSameValue = 1e-9;

/// Distance between two levels of a categorical factor.
constexpr double kCategoryDistance = 2.0;

study::ConstraintProgram programOf(const study::Study& study)
{
    try {
        return study::ConstraintProgram(study);
    } catch (const std::invalid_argument& error) {
        throw DesignError(std::string("constraints: ") + error.what());
    }
}

study::Coding codingOf(const study::Study& study)
{
    try {
        return study::Coding(study.factors);
    } catch (const std::invalid_argument& error) {
        throw DesignError(error.what());
    }
}

} // namespace

LegalSet::Axis LegalSet::axisOf(const study::Coding& coding, std::size_t factor)
{
    const study::Factor& f = coding.factors()[factor];
    Axis axis;
    axis.isContinuous = f.type == study::FactorType::Continuous;
    if (!f.isNumeric()) {
        for (std::size_t level = 0; level < f.categories.size(); ++level)
            axis.actual.push_back(static_cast<double>(level));
        axis.coded = axis.actual;
        return axis;
    }
    axis.actual = study::legalValues(f, f.low, f.high, kMostLegalValues);
    if (!axis.isContinuous && axis.actual.empty())
        axis.isContinuous = !study::legalValues(f, f.low, f.high).empty();
    if (!axis.isContinuous && axis.actual.empty())
        throw DesignError("factor '" + f.name + "' has no legal value between " + study::toText(f.low) +
                          " and " + study::toText(f.high));
    for (const double value : axis.actual)
        axis.coded.push_back(coding.toCoded(factor, value));
    return axis;
}

LegalSet::LegalSet(const study::Study& study)
    : m_coding(codingOf(study))
    , m_constraints(programOf(study))
{
    for (std::size_t i = 0; i < m_coding.factors().size(); ++i)
        m_axes.push_back(axisOf(m_coding, i));
    m_isConstrained.resize(m_axes.size(), false);
    for (const std::string& text : study.constraints) {
        const study::Constraint constraint(text);
        for (const std::string& name : constraint.names()) {
            const int factor = m_coding.indexOf(name);
            if (factor >= 0)
                m_isConstrained[static_cast<std::size_t>(factor)] = true;
        }
    }
}

std::size_t LegalSet::nearestIndex(const Axis& axis, double coded) const
{
    const auto above = static_cast<std::size_t>(
        std::lower_bound(axis.coded.begin(), axis.coded.end(), coded) - axis.coded.begin());
    if (above == axis.coded.size())
        return above - 1;
    return above > 0 && coded - axis.coded[above - 1] <= axis.coded[above] - coded ? above - 1 : above;
}

double LegalSet::snap(std::size_t factor, double coded) const
{
    const Axis& axis = m_axes[factor];
    return axis.coded.empty() ? coded : axis.coded[nearestIndex(axis, coded)];
}

double LegalSet::actualAt(std::size_t factor, double coded) const
{
    const Axis& axis = m_axes[factor];
    if (!axis.coded.empty()) {
        const std::size_t index = nearestIndex(axis, coded);
        if (std::abs(axis.coded[index] - coded) < kSameValue)
            return axis.actual[index];
    }
    return study::snapToLegal(factors()[factor], m_coding.toActual(factor, coded));
}

std::vector<double> LegalSet::spread(std::size_t factor, int wanted) const
{
    if (!factors()[factor].isNumeric())
        return m_axes[factor].coded;
    std::set<double> values;
    for (int i = 0; i < wanted; ++i)
        values.insert(snap(factor, -1.0 + 2.0 * i / (wanted - 1.0)));
    return {values.begin(), values.end()};
}

std::vector<double> LegalSet::neighbours(std::size_t factor, double coded, double step) const
{
    const Axis& axis = m_axes[factor];
    if (!factors()[factor].isNumeric())
        return axis.coded;
    std::vector<double> values;
    if (axis.coded.empty()) {
        for (const double value : {coded - step, coded + step})
            values.push_back(std::clamp(value, -1.0, 1.0));
        return values;
    }
    const std::size_t at = nearestIndex(axis, coded);
    const std::size_t below = std::min(nearestIndex(axis, coded - step), at > 0 ? at - 1 : 0);
    const std::size_t above =
        std::max(nearestIndex(axis, coded + step), std::min(at + 1, axis.coded.size() - 1));
    for (const std::size_t index : {below, above}) {
        if (index != at)
            values.push_back(axis.coded[index]);
    }
    return values;
}

bool LegalSet::isLegal(const Eigen::RowVectorXd& point) const
{
    if (m_constraints.isEmpty())
        return true;
    std::vector<study::Range> settings(m_axes.size());
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const double actual = actualAt(i, point[static_cast<Eigen::Index>(i)]);
        settings[i] = {actual, actual};
    }
    return m_constraints.judge(settings) == study::Verdict::Yes;
}

/// Values of a factor that a point near `target` can have, nearest first; `target` itself is one.
std::vector<double> LegalSet::fromNearToFar(std::size_t factor, double target) const
{
    if (!m_isConstrained[factor])
        return {target};
    const Axis& axis = m_axes[factor];
    std::vector<double> values = axis.coded;
    std::erase_if(values, [&](double value) { return std::abs(value - target) < kSameValue; });
    values.push_back(target);
    if (axis.coded.empty()) {
        values.insert(values.end(), {-1.0, 0.0, 1.0});
        const double reach = std::max(1.0, std::abs(target));
        for (int i = 1; i * kStep <= 2.0 * reach; ++i)
            for (const double value : {target - i * kStep, target + i * kStep}) {
                if (std::abs(value) <= reach)
                    values.push_back(value);
            }
    }
    std::stable_sort(values.begin(), values.end(),
                     [&](double a, double b) { return std::abs(a - target) < std::abs(b - target); });
    return values;
}

namespace {

/// A choice of one value for each factor, out of lists that start with the nearest.
struct Place {
    double distance = 0.0;
    std::vector<std::size_t> at;
    std::size_t lastMoved = 0; ///< later factors only are moved on from here, so that no choice is met twice

    bool operator>(const Place& other) const
    {
        return distance != other.distance ? distance > other.distance : at > other.at;
    }
};

} // namespace

std::optional<Eigen::RowVectorXd> LegalSet::nearest(const Eigen::RowVectorXd& target) const
{
    std::vector<std::vector<double>> values;
    for (std::size_t i = 0; i < size(); ++i)
        values.push_back(fromNearToFar(i, target[static_cast<Eigen::Index>(i)]));
    const auto distance = [&](const Place& choice) {
        double sum = 0.0;
        for (std::size_t i = 0; i < size(); ++i) {
            const double d = values[i][choice.at[i]] - target[static_cast<Eigen::Index>(i)];
            sum += factors()[i].isNumeric() ? d * d : d != 0.0 ? kCategoryDistance * kCategoryDistance : 0.0;
        }
        return sum;
    };
    std::priority_queue<Place, std::vector<Place>, std::greater<>> open;
    open.push({0.0, std::vector<std::size_t>(size(), 0), 0});
    for (std::size_t visits = 0; !open.empty() && visits < kMostVisits; ++visits) {
        const Place choice = open.top();
        open.pop();
        Eigen::RowVectorXd point(target.size());
        for (std::size_t i = 0; i < size(); ++i)
            point[static_cast<Eigen::Index>(i)] = values[i][choice.at[i]];
        if (isLegal(point))
            return point;
        for (std::size_t i = choice.lastMoved; i < size(); ++i) {
            Place next = choice;
            next.lastMoved = i;
            if (++next.at[i] == values[i].size())
                continue;
            next.distance = distance(next);
            open.push(std::move(next));
        }
    }
    return std::nullopt;
}

namespace {

/// Levels of each factor for a candidate set, as many as stay near `most` combinations.
std::vector<std::vector<double>> levelsFor(const LegalSet& legal, const std::vector<int>& powers, int more)
{
    std::vector<std::vector<double>> levels;
    for (std::size_t i = 0; i < legal.size(); ++i)
        levels.push_back(legal.spread(i, std::max(2, powers[i] + 1 + more)));
    return levels;
}

double combinations(const std::vector<std::vector<double>>& levels)
{
    double product = 1.0;
    for (const std::vector<double>& of : levels)
        product *= static_cast<double>(of.size());
    return product;
}

Eigen::MatrixXd allLegal(const LegalSet& legal, const std::vector<std::vector<double>>& levels)
{
    const auto rows = static_cast<Eigen::Index>(combinations(levels));
    Eigen::MatrixXd points(rows, static_cast<Eigen::Index>(levels.size()));
    Eigen::Index kept = 0;
    Eigen::RowVectorXd point(points.cols());
    for (Eigen::Index row = 0; row < rows; ++row) {
        Eigen::Index rest = row;
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const auto count = static_cast<Eigen::Index>(levels[i].size());
            point[static_cast<Eigen::Index>(i)] = levels[i][static_cast<std::size_t>(rest % count)];
            rest /= count;
        }
        if (legal.isLegal(point))
            points.row(kept++) = point;
    }
    points.conservativeResize(kept, Eigen::NoChange);
    return points;
}

/// Random combinations of the levels that are legal, at most `most` of them.
Eigen::MatrixXd someLegal(const LegalSet& legal, const std::vector<std::vector<double>>& levels,
                          std::size_t most, std::uint64_t seed)
{
    constexpr std::size_t kDrawsForEach = 50;
    RandomBits random(seed);
    Eigen::MatrixXd points(static_cast<Eigen::Index>(most), static_cast<Eigen::Index>(levels.size()));
    Eigen::Index kept = 0;
    Eigen::RowVectorXd point(points.cols());
    for (std::size_t draw = 0; draw < kDrawsForEach * most && kept < points.rows(); ++draw) {
        for (std::size_t i = 0; i < levels.size(); ++i)
            point[static_cast<Eigen::Index>(i)] = levels[i][drawBelow(random, levels[i].size())];
        if (legal.isLegal(point))
            points.row(kept++) = point;
    }
    points.conservativeResize(kept, Eigen::NoChange);
    return points;
}

} // namespace

Eigen::MatrixXd legalCandidates(const study::Study& study, const std::vector<int>& powers, std::size_t most,
                                std::uint64_t seed)
{
    const LegalSet legal(study);
    const auto limit = static_cast<double>(most);
    int more = legal.hasConstraints() ? 2 : 0;
    while (more < 8 && combinations(levelsFor(legal, powers, more + 2)) <= limit)
        more += 2; // keeps −1, 0 and +1 among the levels
    while (more > 0 && combinations(levelsFor(legal, powers, more)) > limit)
        more -= 2;
    const std::vector<std::vector<double>> levels = levelsFor(legal, powers, more);
    Eigen::MatrixXd points =
        combinations(levels) <= limit ? allLegal(legal, levels) : someLegal(legal, levels, most, seed);
    if (points.rows() == 0 && legal.hasConstraints())
        points = someLegal(legal, levelsFor(legal, powers, 100), most, seed);
    if (points.rows() == 0)
        throw DesignError("no setting between low and high of the factors satisfies the constraints");
    return points;
}

} // namespace quadric::design
