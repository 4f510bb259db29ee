// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/region_test.h"

#include "core/optimize/search/pattern_search.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

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
double limitOf(std::vector<double>& largest)
{
    const auto place = largest.begin() + static_cast<std::ptrdiff_t>(0.95 * kDraws);
    std::ranges::nth_element(largest, place);
    return *place;
}

} // namespace

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
    return statistic <= limitOf(largest);
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

} // namespace quadric::optimize
