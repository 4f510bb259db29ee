// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search_space.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::optimize {

namespace {

/// Slack of the limits when legal values are listed: the limits went through the coding.
constexpr double kLimitSlack = 1e-9;

[[noreturn]] void fail(const study::Factor& factor, const std::string& what)
{
    throw std::invalid_argument("factor '" + factor.name + "' " + what);
}

double reachOf(const Region& region)
{
    const double reach = region.kind == RegionKind::Box ? 1.0 : region.radius;
    if (!std::isfinite(reach) || reach <= 0.0)
        throw std::invalid_argument("the region's radius is " + study::toText(reach) +
                                    ", expected a number above 0 (coded units)");
    return reach;
}

/// Fixed settings of the study and factors that the search is told to hold.
study::Study withoutUnknownFixed(const study::Study& study, const OptimizeOptions& options)
{
    for (const auto& [name, value] : options.fixed) {
        if (!study::findFactor(study, name))
            throw std::invalid_argument("'" + name + "' is to be held at " + study::toText(value) +
                                        " but is not a factor");
    }
    return study;
}

} // namespace

SearchSpace::SearchSpace(const study::Study& study, const std::vector<model::Fit>& fits,
                         const OptimizeOptions& options)
    : m_coding(study.factors)
    , m_region(options.region)
    , m_reach(reachOf(options.region))
    , m_constraints(withoutUnknownFixed(study, options))
{
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        m_axes.push_back(axisOf(i, options));
    if (options.staysNearRuns || options.maxLeverage)
        m_leverage = LeverageLimit(fits, options.maxLeverage);
    m_ranges.resize(m_axes.size());
    m_actual.resize(m_axes.size());
}

Axis SearchSpace::axisOf(std::size_t factor, const OptimizeOptions& options) const
{
    const study::Factor& f = m_coding.factors()[factor];
    if (const auto fixed = options.fixed.find(f.name); fixed != options.fixed.end())
        return fixedAxis(factor, fixed->second);
    if (f.type == study::FactorType::Integer || f.type == study::FactorType::Discrete)
        return levelsAxis(factor);
    Axis axis;
    if (f.type == study::FactorType::Categorical) {
        axis.kind = Axis::Kind::Category;
        for (std::size_t level = 0; level < f.categories.size(); ++level)
            axis.coded.push_back(static_cast<double>(level));
        axis.actual = axis.coded;
        axis.high = axis.coded.back();
        return axis;
    }
    axis.kind = Axis::Kind::Continuous;
    axis.low = -m_reach;
    axis.high = m_reach;
    return axis;
}

Axis SearchSpace::fixedAxis(std::size_t factor, const study::Value& value) const
{
    const study::Factor& f = m_coding.factors()[factor];
    study::Settings settings = m_coding.toSettings(m_coding.center());
    settings[f.name] = value;
    Axis axis;
    axis.low = axis.high = m_coding.toCoded(settings)[static_cast<Eigen::Index>(factor)];
    axis.coded = {axis.low};
    axis.actual = {f.isNumeric() ? study::numberOf(value) : axis.low};
    if (f.isNumeric() && study::snapToLegal(f, axis.actual.front()) != axis.actual.front())
        fail(f, "is to be held at " + study::toText(value) +
                    ", which cannot be run; the nearest legal value is " +
                    study::toText(study::snapToLegal(f, axis.actual.front())));
    return axis;
}

Axis SearchSpace::levelsAxis(std::size_t factor) const
{
    const study::Factor& f = m_coding.factors()[factor];
    const double from = m_coding.toActual(factor, -m_reach);
    const double to = m_coding.toActual(factor, m_reach);
    const double slack = kLimitSlack * (std::abs(from) + std::abs(to));
    Axis axis;
    axis.kind = Axis::Kind::Levels;
    axis.actual = study::legalValues(f, from - slack, to + slack);
    for (const double value : axis.actual)
        axis.coded.push_back(m_coding.toCoded(factor, value));
    if (axis.coded.empty()) {
        const double nearest = study::snapToLegal(f, (from + to) / 2.0);
        if (f.type != study::FactorType::Integer || nearest < from || nearest > to)
            fail(f, "has no legal value between " + study::toText(from) + " and " + study::toText(to));
        axis.kind = Axis::Kind::Continuous; // too many values to list
        axis.snaps = true;
        axis.low = -m_reach;
        axis.high = m_reach;
        return axis;
    }
    axis.low = axis.coded.front();
    axis.high = axis.coded.back();
    return axis;
}

Eigen::VectorXd SearchSpace::center() const
{
    Eigen::VectorXd x(size());
    for (Eigen::Index i = 0; i < size(); ++i)
        x[i] = snap(i, 0.0);
    return x;
}

double SearchSpace::snap(Eigen::Index i, double coded) const
{
    const Axis& a = axis(i);
    if (a.kind == Axis::Kind::Continuous) {
        const double inside = std::clamp(coded, a.low, a.high);
        if (!a.snaps)
            return inside;
        const auto factor = static_cast<std::size_t>(i);
        const study::Factor& f = m_coding.factors()[factor];
        return m_coding.toCoded(factor, study::snapToLegal(f, m_coding.toActual(factor, inside)));
    }
    const auto above = std::lower_bound(a.coded.begin(), a.coded.end(), coded);
    if (above == a.coded.begin())
        return *above;
    if (above == a.coded.end())
        return a.coded.back();
    return *above - coded < coded - *(above - 1) ? *above : *(above - 1);
}

Range SearchSpace::reach(Eigen::Index i, const Eigen::VectorXd& x) const
{
    const Axis& a = axis(i);
    if (m_region.kind != RegionKind::Sphere || !isNumeric(i))
        return {a.low, a.high};
    double rest = m_region.radius * m_region.radius;
    for (Eigen::Index other = 0; other < size(); ++other) {
        if (other != i && isNumeric(other))
            rest -= x[other] * x[other];
    }
    if (rest < -kSphereSlack * m_region.radius * m_region.radius)
        return {1.0, -1.0};
    const double half = std::sqrt(std::max(rest, 0.0));
    return {std::max(a.low, -half), std::min(a.high, half)};
}

double SearchSpace::actualAt(Eigen::Index i, double coded) const
{
    const Axis& a = axis(i);
    if (a.kind == Axis::Kind::Fixed)
        return a.actual.front();
    if (a.kind != Axis::Kind::Continuous) {
        const auto at = std::lower_bound(a.coded.begin(), a.coded.end(), coded);
        return a.actual[std::min(static_cast<std::size_t>(at - a.coded.begin()), a.count() - 1)];
    }
    const auto factor = static_cast<std::size_t>(i);
    const double value = m_coding.toActual(factor, coded);
    return a.snaps ? study::snapToLegal(m_coding.factors()[factor], value) : value;
}

bool SearchSpace::isLegal(const Eigen::VectorXd& x) const
{
    if (m_region.kind == RegionKind::Sphere) {
        double norm = 0.0;
        for (Eigen::Index i = 0; i < size(); ++i)
            norm += isNumeric(i) ? x[i] * x[i] : 0.0;
        if (norm > m_region.radius * m_region.radius * (1.0 + kSphereSlack))
            return false;
    }
    return !hasConstraints() || judgeLine(0, x, x[0], x[0]) == Verdict::Yes;
}

bool SearchSpace::isNearRuns(Eigen::Index i, const Eigen::VectorXd& x, double coded) const
{
    m_point = x;
    m_point[i] = coded;
    return m_leverage.margin(m_point) >= 0.0;
}

Verdict SearchSpace::judgeLine(Eigen::Index i, const Eigen::VectorXd& x, double from, double to) const
{
    for (Eigen::Index other = 0; other < size(); ++other) {
        const double value = actualAt(other, x[other]);
        m_ranges[static_cast<std::size_t>(other)] = {value, value};
    }
    m_ranges[static_cast<std::size_t>(i)] = {actualAt(i, from), actualAt(i, to)};
    const Verdict verdict = m_constraints.judge(m_ranges);
    if (verdict == Verdict::No || !m_leverage.isActive())
        return verdict;
    if (from != to)
        return Verdict::Maybe;
    return isNearRuns(i, x, from) ? verdict : Verdict::No;
}

Verdict SearchSpace::judgeBox(const std::vector<Range>& coded) const
{
    for (Eigen::Index i = 0; i < size(); ++i) {
        const Range& range = coded[static_cast<std::size_t>(i)];
        m_ranges[static_cast<std::size_t>(i)] = {actualAt(i, range.low), actualAt(i, range.high)};
    }
    const Verdict verdict = m_constraints.judge(m_ranges);
    return verdict == Verdict::Yes && m_leverage.isActive() ? Verdict::Maybe : verdict;
}

double SearchSpace::margin(const Eigen::VectorXd& x) const
{
    for (Eigen::Index i = 0; i < size(); ++i) {
        const bool isContinuous = axis(i).kind == Axis::Kind::Continuous;
        m_actual[static_cast<std::size_t>(i)] = isContinuous || axis(i).kind == Axis::Kind::Levels
                                                    ? m_coding.toActual(static_cast<std::size_t>(i), x[i])
                                                    : actualAt(i, x[i]);
    }
    const double margin = m_constraints.margin(m_actual);
    return m_leverage.isActive() ? std::min(margin, m_leverage.margin(x)) : margin;
}

study::Settings SearchSpace::settingsAt(const Eigen::VectorXd& x) const
{
    study::Settings settings;
    for (Eigen::Index i = 0; i < size(); ++i) {
        const study::Factor& factor = m_coding.factors()[static_cast<std::size_t>(i)];
        if (factor.isNumeric())
            settings[factor.name] = actualAt(i, x[i]);
        else
            settings[factor.name] = factor.categories[static_cast<std::size_t>(x[i])];
    }
    return settings;
}

std::optional<Eigen::VectorXd> SearchSpace::pointAt(const study::Settings& settings) const
{
    Eigen::VectorXd x;
    try {
        x = m_coding.toCoded(settings).x;
    } catch (const std::invalid_argument&) { // a factor without a value
        return std::nullopt;
    }
    for (Eigen::Index i = 0; i < size(); ++i)
        x[i] = snap(i, x[i]);
    return x;
}

} // namespace quadric::optimize
