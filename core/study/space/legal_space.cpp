// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/legal_space.h"

#include "core/study/node_size.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>
#include <stdexcept>

namespace quadric::study {

namespace {

/// Slack of the limits when legal values are listed: the limits went through the coding.
constexpr double kReachSlack = 1e-9;

/// Coded values this near to one another are the same.
constexpr double kSameCoded = 1e-9;

/// Coded values this near to an end are the end: nobody wants to read 2.3e-8 where a search has come to 0.
constexpr double kAtEnd = 1e-8;

/// Points that are looked at for the nearest legal one.
constexpr std::size_t kMostVisits = 50000;

/// Steps of continuous factors that constraints push away from a point, in coded units.
constexpr double kRepairStep = 0.02;

/// Distance between two levels of a categorical factor.
constexpr double kCategoryDistance = 2.0;

[[noreturn]] void refuse(const Factor& factor, const std::string& what)
{
    throw std::invalid_argument("factor '" + factor.name + "' " + what);
}

const Study& withKnownNames(const Study& study, const Settings& held)
{
    for (const auto& [name, value] : held) {
        if (!findFactor(study, name))
            throw std::invalid_argument("'" + name + "' is to be held at " + toText(value) +
                                        " but is not a factor");
    }
    return study;
}

std::size_t nearestIndex(const std::vector<double>& ascending, double coded)
{
    const auto above =
        static_cast<std::size_t>(std::ranges::lower_bound(ascending, coded) - ascending.begin());
    if (above == ascending.size())
        return above - 1;
    return above > 0 && coded - ascending[above - 1] <= ascending[above] - coded ? above - 1 : above;
}

Range rangeOf(std::size_t factor, const LegalSpaceOptions& options)
{
    if (factor >= options.within.size() || !options.within[factor])
        return {-options.reach, options.reach};
    const auto [low, high] = *options.within[factor];
    return {std::max(low, -options.reach), std::min(high, options.reach)};
}

} // namespace

LegalSpace::LegalSpace(const Study& study, const LegalSpaceOptions& options)
    : m_coding(study.factors)
    , m_constraints(withKnownNames(study, options.held))
    , m_isAllowed(options.isAllowed)
{
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        m_axes.push_back(makeAxis(i, options));
    if (options.hasWholeNodes)
        keepWholeNodes(study, options.held);
}

LegalAxis LegalSpace::makeAxis(std::size_t factor, const LegalSpaceOptions& options) const
{
    const Factor& f = factors()[factor];
    if (const auto held = options.held.find(f.name); held != options.held.end())
        return makeFixedAxis(factor, held->second);
    if (f.type == FactorType::Integer || f.type == FactorType::Discrete)
        return makeLevelsAxis(factor, options);
    LegalAxis axis;
    if (f.type == FactorType::Continuous) {
        const Range range = rangeOf(factor, options);
        axis.low = range.low;
        axis.high = range.high;
        axis.kind = axis.low < axis.high ? LegalAxis::Kind::Continuous : LegalAxis::Kind::Fixed;
        if (!axis.isMovable()) {
            axis.coded = {axis.low};
            axis.actual = {m_coding.toActual(factor, axis.low)};
        }
        return axis;
    }
    axis.kind = LegalAxis::Kind::Category;
    for (std::size_t level = 0; level < f.categories.size(); ++level)
        axis.coded.push_back(static_cast<double>(level));
    axis.actual = axis.coded;
    axis.high = axis.coded.back();
    return axis;
}

LegalAxis LegalSpace::makeFixedAxis(std::size_t factor, const Value& value) const
{
    const Factor& f = factors()[factor];
    Settings settings = m_coding.toSettings(m_coding.center());
    settings[f.name] = value;
    LegalAxis axis;
    axis.low = axis.high = m_coding.toCoded(settings)[static_cast<Eigen::Index>(factor)];
    axis.coded = {axis.low};
    axis.actual = {f.isNumeric() ? numberOf(value) : axis.low};
    const double legal = snapToLegal(f, axis.actual.front());
    if (f.isNumeric() && legal != axis.actual.front())
        refuse(f, "is to be held at " + toText(value) + ", which cannot be run; the nearest legal value is " +
                      toText(legal));
    return axis;
}

LegalAxis LegalSpace::makeLevelsAxis(std::size_t factor, const LegalSpaceOptions& options) const
{
    const Factor& f = factors()[factor];
    const auto [low, high] = rangeOf(factor, options);
    const double from = m_coding.toActual(factor, low);
    const double to = m_coding.toActual(factor, high);
    const double slack = kReachSlack * (std::abs(from) + std::abs(to));
    std::vector<double> listed = legalValues(f, from - slack, to + slack, options.mostListed);
    LegalAxis axis;
    if (!listed.empty()) {
        setLevels(factor, std::move(listed), axis);
        return axis;
    }
    axis.kind = LegalAxis::Kind::Continuous;
    axis.snaps = true;
    axis.low = low;
    axis.high = high;
    return axis;
}

void LegalSpace::setLevels(std::size_t factor, std::vector<double> actual, LegalAxis& axis) const
{
    axis.kind = LegalAxis::Kind::Levels;
    axis.coded.clear();
    for (const double value : actual)
        axis.coded.push_back(m_coding.toCoded(factor, value));
    axis.actual = std::move(actual);
    axis.low = axis.coded.front();
    axis.high = axis.coded.back();
}

void LegalSpace::keepWholeNodes(const Study& study, const Settings& held)
{
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const auto node = knownNodeOf(study, factors()[i], held);
        if (!node || m_axes[i].kind != LegalAxis::Kind::Levels)
            continue;
        std::vector<double> counts = m_axes[i].actual;
        std::erase_if(counts, [&node](double count) { return leavesIdle(count, *node); });
        if (std::ranges::any_of(counts, [&](double count) { return mayBeLegal(i, count); }))
            setLevels(i, std::move(counts), m_axes[i]);
    }
}

/// Whether the constraints leave this value of a factor, whatever the others are.
bool LegalSpace::mayBeLegal(std::size_t factor, double actual) const
{
    std::vector<Range> settings;
    for (Eigen::Index i = 0; i < size(); ++i)
        settings.push_back({actualAt(i, axis(i).low), actualAt(i, axis(i).high)});
    settings[factor] = {actual, actual};
    return m_constraints.judge(settings) != Verdict::No;
}

void LegalSpace::checkValues() const
{
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const double from = m_coding.toActual(i, m_axes[i].low);
        const double to = m_coding.toActual(i, m_axes[i].high);
        const double nearest = snapToLegal(factors()[i], (from + to) / 2.0);
        if (m_axes[i].snaps && (nearest < from || nearest > to))
            refuse(factors()[i], "has no legal value between " + toText(from) + " and " + toText(to));
    }
}

double LegalSpace::snap(Eigen::Index i, double coded) const
{
    const LegalAxis& a = axis(i);
    if (a.kind != LegalAxis::Kind::Continuous)
        return a.coded[nearestIndex(a.coded, coded)];
    const double inside = coded < a.low + kAtEnd ? a.low : coded > a.high - kAtEnd ? a.high : coded;
    return a.snaps ? m_coding.toCoded(static_cast<std::size_t>(i), actualAt(i, inside)) : inside;
}

Eigen::VectorXd LegalSpace::center() const
{
    Eigen::VectorXd point(size());
    for (Eigen::Index i = 0; i < size(); ++i)
        point[i] = snap(i, 0.0);
    return point;
}

double LegalSpace::actualAt(Eigen::Index i, double coded) const
{
    const LegalAxis& a = axis(i);
    if (a.kind == LegalAxis::Kind::Fixed)
        return a.actual.front();
    if (!a.coded.empty()) {
        const std::size_t at = nearestIndex(a.coded, coded);
        if (std::abs(a.coded[at] - coded) < kSameCoded)
            return a.actual[at];
    }
    const auto factor = static_cast<std::size_t>(i);
    return snapToLegal(factors()[factor], m_coding.toActual(factor, coded));
}

bool LegalSpace::satisfiesConstraints(const Point& point) const
{
    if (!isAllowed(point))
        return false;
    if (m_constraints.isEmpty())
        return true;
    std::vector<Range> settings(m_axes.size());
    for (Eigen::Index i = 0; i < size(); ++i) {
        const double actual = actualAt(i, point[i]);
        settings[static_cast<std::size_t>(i)] = {actual, actual};
    }
    return m_constraints.judge(settings) == Verdict::Yes;
}

Settings LegalSpace::settingsAt(const Eigen::VectorXd& point) const
{
    Settings settings;
    for (Eigen::Index i = 0; i < size(); ++i) {
        const Factor& factor = factors()[static_cast<std::size_t>(i)];
        if (factor.isNumeric())
            settings[factor.name] = actualAt(i, point[i]);
        else
            settings[factor.name] = factor.categories[static_cast<std::size_t>(point[i])];
    }
    return settings;
}

std::optional<Eigen::VectorXd> LegalSpace::pointAt(const Settings& settings) const
{
    Eigen::VectorXd point;
    try {
        point = m_coding.toCoded(settings).x;
    } catch (const std::invalid_argument&) { // a factor without a value
        return std::nullopt;
    }
    for (Eigen::Index i = 0; i < size(); ++i)
        point[i] = snap(i, point[i]);
    return point;
}

std::vector<double> LegalSpace::spread(Eigen::Index i, int wanted) const
{
    const LegalAxis& a = axis(i);
    if (!isNumeric(i))
        return a.coded;
    std::set<double> values;
    for (int place = 0; place < wanted; ++place) {
        const double coded = -1.0 + 2.0 * place / (wanted - 1.0);
        values.insert(a.coded.empty() ? coded : snap(i, coded));
    }
    return {values.begin(), values.end()};
}

std::vector<double> LegalSpace::neighbors(Eigen::Index i, double coded, double step) const
{
    const LegalAxis& a = axis(i);
    if (!isNumeric(i))
        return a.coded;
    if (a.coded.empty())
        return {std::clamp(coded - step, -1.0, 1.0), std::clamp(coded + step, -1.0, 1.0)};
    const std::size_t at = nearestIndex(a.coded, coded);
    const std::size_t below = std::min(nearestIndex(a.coded, coded - step), at > 0 ? at - 1 : 0);
    const std::size_t above =
        std::max(nearestIndex(a.coded, coded + step), std::min(at + 1, a.coded.size() - 1));
    std::vector<double> values;
    for (const std::size_t index : {below, above}) {
        if (index != at)
            values.push_back(a.coded[index]);
    }
    return values;
}

/// Values of a factor that a point near `target` can have, nearest first; `target` itself is one.
std::vector<double> LegalSpace::fromNearToFar(Eigen::Index i, double target) const
{
    if (!m_constraints.uses(static_cast<std::size_t>(i)))
        return {target};
    std::vector<double> values = axis(i).coded;
    std::erase_if(values, [&](double value) { return std::abs(value - target) < kSameCoded; });
    values.push_back(target);
    if (axis(i).coded.empty()) {
        values.insert(values.end(), {-1.0, 0.0, 1.0});
        const double reach = std::max(1.0, std::abs(target));
        for (int step = 1; step * kRepairStep <= 2.0 * reach; ++step)
            for (const double value : {target - step * kRepairStep, target + step * kRepairStep}) {
                if (std::abs(value) <= reach)
                    values.push_back(value);
            }
    }
    std::ranges::stable_sort(values, {}, [&](double value) { return std::abs(value - target); });
    return values;
}

namespace {

/// A choice of one value for each factor, out of lists that start with the nearest.
struct Choice {
    double distance = 0.0;
    std::vector<std::size_t> at;
    std::size_t lastMoved = 0; ///< later factors only are moved on from here, so that no choice is met twice

    bool operator>(const Choice& other) const
    {
        return distance != other.distance ? distance > other.distance : at > other.at;
    }
};

/// The only positive root of x^(d+1) = x + 1: powers of its inverse fill the d-dimensional cube most evenly.
double generalizedGoldenRatio(Eigen::Index dimensions)
{
    double root = 2.0;
    for (int i = 0; i < 60; ++i)
        root = std::pow(1.0 + root, 1.0 / (static_cast<double>(dimensions) + 1.0));
    return root;
}

double codedAt(const LegalAxis& axis, double fraction)
{
    if (axis.coded.empty())
        return 2.0 * fraction - 1.0;
    const auto count = static_cast<double>(axis.count());
    return axis.coded[static_cast<std::size_t>(std::min(fraction * count, count - 1.0))];
}

long countAmongCombinations(const LegalSpace& space, const std::vector<std::vector<double>>& values,
                            long combinations)
{
    long legal = 0;
    for (long i = 0; i < combinations; ++i)
        legal += space.satisfiesConstraints(combinationAt(values, static_cast<std::size_t>(i))) ? 1 : 0;
    return legal;
}

double shareOfSpreadPoints(const LegalSpace& space, long points)
{
    const double ratio = generalizedGoldenRatio(space.size());
    Eigen::VectorXd point(space.size());
    long legal = 0;
    for (long i = 0; i < points; ++i) {
        for (Eigen::Index f = 0; f < space.size(); ++f) {
            const double step = std::pow(ratio, -static_cast<double>(f + 1));
            const double place = 0.5 + step * static_cast<double>(i + 1);
            point[f] = codedAt(space.axis(f), place - std::floor(place));
        }
        legal += space.satisfiesConstraints(point) ? 1 : 0;
    }
    return static_cast<double>(legal) / static_cast<double>(points);
}

LegalCount countIn(const LegalSpace& space, long most)
{
    std::vector<std::vector<double>> values;
    for (const LegalAxis& axis : space.axes())
        values.push_back(axis.coded);
    const double combinations =
        std::ranges::any_of(values, &std::vector<double>::empty) ? INFINITY : countCombinations(values);
    LegalCount count;
    if (combinations <= static_cast<double>(most)) {
        count.combinations = static_cast<long>(combinations);
        count.legal = countAmongCombinations(space, values, *count.combinations);
        count.share = static_cast<double>(*count.legal) / combinations;
    } else if (!space.constraints().isEmpty()) {
        count.share = shareOfSpreadPoints(space, most);
    } else if (std::isfinite(combinations)) {
        count.combinations = count.legal = static_cast<long>(std::min(combinations, 1e15));
    }
    return count;
}

} // namespace

std::optional<Eigen::VectorXd> LegalSpace::nearest(const Point& target) const
{
    const std::size_t count = m_axes.size();
    std::vector<std::vector<double>> values;
    for (Eigen::Index i = 0; i < size(); ++i)
        values.push_back(fromNearToFar(i, target[i]));
    const auto distance = [&](const Choice& choice) {
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const double d = values[i][choice.at[i]] - target[static_cast<Eigen::Index>(i)];
            sum += factors()[i].isNumeric() ? d * d : d != 0.0 ? kCategoryDistance * kCategoryDistance : 0.0;
        }
        return sum;
    };
    std::priority_queue<Choice, std::vector<Choice>, std::greater<>> open;
    open.push({0.0, std::vector<std::size_t>(count, 0), 0});
    Eigen::VectorXd point(size());
    for (std::size_t visits = 0; !open.empty() && visits < kMostVisits; ++visits) {
        const Choice choice = open.top();
        open.pop();
        for (std::size_t i = 0; i < count; ++i)
            point[static_cast<Eigen::Index>(i)] = values[i][choice.at[i]];
        if (satisfiesConstraints(point))
            return point;
        for (std::size_t i = choice.lastMoved; i < count; ++i) {
            Choice next = choice;
            next.lastMoved = i;
            if (++next.at[i] == values[i].size())
                continue;
            next.distance = distance(next);
            open.push(std::move(next));
        }
    }
    return std::nullopt;
}

double countCombinations(const std::vector<std::vector<double>>& values)
{
    double product = 1.0;
    for (const std::vector<double>& of : values)
        product *= static_cast<double>(of.size());
    return product;
}

Eigen::VectorXd combinationAt(const std::vector<std::vector<double>>& values, std::size_t index)
{
    Eigen::VectorXd point(std::ssize(values));
    for (std::size_t i = 0; i < values.size(); ++i) {
        point[static_cast<Eigen::Index>(i)] = values[i][index % values[i].size()];
        index /= values[i].size();
    }
    return point;
}

LegalCount countLegal(const Study& study, long most)
{
    const Coding sound(study.factors); // throws for factors that are not
    try {
        return countIn(LegalSpace(study, {.mostListed = static_cast<std::size_t>(most)}), most);
    } catch (const std::invalid_argument&) { // a constraint that cannot be read holds nowhere
        return {.legal = 0, .share = 0.0};
    }
}

} // namespace quadric::study
