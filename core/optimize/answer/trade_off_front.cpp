// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/merit/desirability.h"
#include "core/optimize/search/search.h"
#include "core/optimize/search/search_space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace quadric::optimize {

namespace {

constexpr std::size_t kSample = 1000; ///< points that searches start from
constexpr int kDirections = 60;       ///< searches for each response beyond the first

/// Share of the observed range below which two predictions count as equal.
constexpr double kEqual = 1e-9;

/// A setting and its qualities: larger is better, in units of each response's observed range.
struct Point {
    Eigen::VectorXd x;
    Eigen::ArrayXd y;
    Eigen::ArrayXd quality;
};

/// Builds the front of the responses that have a goal.
class Front {
public:
    Front(const study::Study& study, const std::vector<model::Fit>& fits, const Goals& goals,
          OptimizeOptions options)
        : m_space(study, fits, options)
        , m_goals(goals)
        , m_evaluator(goals.fits)
        , m_options(std::move(options))
    {
        for (std::size_t i = 0; i < goals.count(); ++i) {
            if (goals.desirabilities[i].goal != study::Goal::None)
                m_responses.push_back(i);
        }
    }

    std::vector<FrontPoint> points(int most);

private:
    double qualityOf(std::size_t response, double y) const;
    Point pointAt(const Eigen::VectorXd& x);
    void addExtremes();
    void addDirections();
    Merit meritAlong(const Eigen::ArrayXd& direction) const;
    void keepNondominated();
    std::vector<Point> spread(int most) const;

    SearchSpace m_space;
    const Goals& m_goals;
    Evaluator m_evaluator;
    OptimizeOptions m_options;
    std::vector<std::size_t> m_responses;
    std::vector<Point> m_sample, m_points;
    Eigen::ArrayXd m_ideal; ///< best quality of each response alone
};

double Front::qualityOf(std::size_t response, double y) const
{
    const Desirability& desirability = m_goals.desirabilities[response];
    const double scale = observedWidth(*m_goals.fits[response]);
    if (desirability.goal == study::Goal::Target)
        return -std::abs(y - desirability.target) / scale;
    return (desirability.goal == study::Goal::Maximize ? y : -y) / scale;
}

Point Front::pointAt(const Eigen::VectorXd& x)
{
    Point point{x, {}, Eigen::ArrayXd(static_cast<Eigen::Index>(m_responses.size()))};
    m_evaluator.predict(x, point.y);
    for (std::size_t i = 0; i < m_responses.size(); ++i)
        point.quality[static_cast<Eigen::Index>(i)] =
            qualityOf(m_responses[i], point.y[static_cast<Eigen::Index>(m_responses[i])]);
    return point;
}

/// The best point of each response alone.
void Front::addExtremes()
{
    m_ideal.resize(static_cast<Eigen::Index>(m_responses.size()));
    for (std::size_t i = 0; i < m_responses.size(); ++i) {
        const std::size_t response = m_responses[i];
        const Desirability& desirability = m_goals.desirabilities[response];
        const Merit merit = ownMerit(static_cast<Eigen::Index>(response), desirability.goal,
                                     desirability.target, observedWidth(*m_goals.fits[response]));
        Search search(m_space, m_evaluator, merit, kOwnEffort, m_options.stop);
        for (const Candidate& candidate : search.run())
            m_points.push_back(pointAt(candidate.x));
        const auto row = static_cast<Eigen::Index>(i);
        m_ideal[row] = std::numeric_limits<double>::lowest();
        for (const Point& point : m_points)
            m_ideal[row] = std::max(m_ideal[row], point.quality[row]);
    }
}

/// The smallest, over the responses, of (quality − ideal) / direction: its maximum is a point of the front,
/// and every point of the front, also where it bends inwards, belongs to some direction (weighted Chebyshev
/// distance).
Merit Front::meritAlong(const Eigen::ArrayXd& direction) const
{
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < m_responses.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const Desirability& desirability = m_goals.desirabilities[m_responses[i]];
        const double scale = observedWidth(*m_goals.fits[m_responses[i]]);
        const double target = desirability.goal == study::Goal::Target ? desirability.target : 0.0;
        for (const double sign : {1.0, -1.0}) {
            const bool isWanted = desirability.goal == study::Goal::Target ||
                                  (sign > 0.0) == (desirability.goal == study::Goal::Maximize);
            if (isWanted)
                pieces.push_back({static_cast<Eigen::Index>(m_responses[i]), sign,
                                  target + sign * scale * m_ideal[row], scale * direction[row]});
        }
    }
    return {MeritMode::Minimum, std::move(pieces)};
}

void Front::addDirections()
{
    if (m_points.empty() || m_responses.size() < 2)
        return;
    std::mt19937_64 generator(m_options.seed);
    const int count = kDirections * (static_cast<int>(m_responses.size()) - 1);
    for (int i = 0; i < count && !m_options.stop.stop_requested(); ++i) {
        Eigen::ArrayXd direction(m_ideal.size());
        for (double& part : direction) // exponential parts are uniform on the simplex
            part = 1e-3 - std::log((static_cast<double>(generator() >> 11) + 0.5) * 0x1p-53);
        direction /= direction.sum();
        const auto meritOf = [&](const Point& point) {
            return ((point.quality - m_ideal) / direction).minCoeff();
        };
        const Merit merit = meritAlong(direction);
        const LocalSearch search(m_space, m_evaluator, merit, m_options.stop);
        Candidate candidate;
        for (const std::vector<Point>* points : {&m_points, &m_sample})
            for (const Point& point : *points)
                if (const double there = meritOf(point); there > candidate.merit)
                    candidate = {point.x, there};
        search.climb(candidate);
        search.refine(candidate);
        m_points.push_back(pointAt(candidate.x));
    }
}

/// Only the points that no other one equals or exceeds in every quality; of equal ones the first.
void Front::keepNondominated()
{
    std::ranges::stable_sort(m_points, [](const Point& a, const Point& b) {
        return std::lexicographical_compare(b.quality.begin(), b.quality.end(), a.quality.begin(),
                                            a.quality.end());
    });
    std::vector<Point> kept; // sorted so, a point can only be dominated by one that is kept already
    for (Point& point : m_points) {
        const bool isDominated = std::ranges::any_of(
            kept, [&](const Point& other) { return (other.quality >= point.quality - kEqual).all(); });
        if (!isDominated)
            kept.push_back(std::move(point));
    }
    m_points = std::move(kept);
}

/// Greedy choice of points far from one another, the extremes of each response first.
std::vector<Point> Front::spread(int most) const
{
    if (static_cast<int>(m_points.size()) <= most)
        return m_points;
    Eigen::ArrayXd low = m_points.front().quality;
    Eigen::ArrayXd high = low;
    for (const Point& point : m_points) {
        low = low.min(point.quality);
        high = high.max(point.quality);
    }
    const Eigen::ArrayXd width = (high - low).max(kEqual);
    std::vector<double> gap(m_points.size(), std::numeric_limits<double>::max());
    std::vector<Point> chosen;
    const auto choose = [&](std::size_t index) {
        chosen.push_back(m_points[index]);
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            const Eigen::ArrayXd difference = (m_points[i].quality - m_points[index].quality) / width;
            gap[i] = std::min(gap[i], difference.matrix().norm());
        }
    };
    for (Eigen::Index row = 0; row < low.size() && static_cast<int>(chosen.size()) < most; ++row) {
        const auto best =
            std::max_element(m_points.begin(), m_points.end(),
                             [&](const Point& a, const Point& b) { return a.quality[row] < b.quality[row]; });
        const auto index = static_cast<std::size_t>(best - m_points.begin());
        if (gap[index] > 0.0)
            choose(index);
    }
    while (static_cast<int>(chosen.size()) < most)
        choose(static_cast<std::size_t>(std::max_element(gap.begin(), gap.end()) - gap.begin()));
    return chosen;
}

std::vector<FrontPoint> Front::points(int most)
{
    if (m_responses.empty() || most < 1)
        return {};
    for (const Eigen::VectorXd& x : legalSample(m_space, kSample, m_options.seed))
        m_sample.push_back(pointAt(x));
    addExtremes();
    addDirections();
    keepNondominated();
    std::vector<Point> chosen = spread(most);
    const auto first = static_cast<Eigen::Index>(m_responses.front());
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](const Point& a, const Point& b) { return a.y[first] < b.y[first]; });
    std::vector<FrontPoint> front;
    for (const Point& point : chosen) {
        FrontPoint row{m_space.settingsAt(point.x), {}};
        for (const std::size_t response : m_responses)
            row.responses.emplace_back(m_goals.fits[response]->response,
                                       point.y[static_cast<Eigen::Index>(response)]);
        front.push_back(std::move(row));
    }
    return front;
}

} // namespace

std::vector<FrontPoint> tradeOffFront(const study::Study& study, const std::vector<model::Fit>& fits,
                                      const OptimizeOptions& options, int most)
{
    const Goals goals = goalsOf(study, fits);
    if (goals.count() == 0 || goals.countWanted() > kMostGoals || study.factors.empty())
        return {};
    try {
        return Front(study, fits, goals, holdAliased(study, goals, options)).points(most);
    } catch (const std::invalid_argument&) { // no legal setting: no front
        return {};
    }
}

std::vector<double> frontDesirability(const study::Study& study, const std::vector<model::Fit>& fits,
                                      const std::vector<FrontPoint>& front)
{
    std::vector<double> values;
    if (goalsOf(study, fits).hasCompromise())
        for (const FrontPoint& point : front)
            values.push_back(assess(study, fits, point.settings).overall);
    return values;
}

} // namespace quadric::optimize
