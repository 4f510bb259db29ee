// SPDX-License-Identifier: GPL-3.0-or-later
#include "random_problem.h"

#include "core/study/space/constraint.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::optimize {

namespace {

constexpr std::size_t kMostPoints = 20000;
constexpr std::size_t kRefined = 4;
constexpr int kSteps = 60; ///< for each size of step and factor

double normal(std::mt19937_64& generator)
{
    return std::normal_distribution<double>()(generator);
}

study::Factor randomFactor(std::mt19937_64& generator, FactorMix mix)
{
    if (mix == FactorMix::Listed || (mix == FactorMix::Mixed && generator() % 2 == 0))
        return listedFactor(generator, 30);
    study::Factor factor;
    factor.low = generator() % 2 ? 1.0 : 10.0;
    factor.high = factor.low * (2.0 + static_cast<double>(generator() % 9));
    factor.scale = generator() % 3 == 0 ? study::Scale::Log2 : study::Scale::Linear;
    return factor;
}

study::CodedPoint randomPoint(const study::Study& study, std::mt19937_64& generator)
{
    study::CodedPoint point{Eigen::VectorXd(std::ssize(study.factors))};
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        const study::Factor& factor = study.factors[i];
        point[static_cast<Eigen::Index>(i)] =
            factor.isNumeric() ? uniform(generator, -1.0, 1.0)
                               : static_cast<double>(generator() % factor.categories.size());
    }
    return point;
}

/// Limits from the predictions at random points, so that some problems are easy and some hopeless.
void setGoal(study::Study& study, study::Response& response, const model::Fit& fit,
             std::mt19937_64& generator)
{
    std::vector<double> values;
    for (int i = 0; i < 100; ++i)
        values.push_back(model::predictMean(fit, randomPoint(study, generator)));
    std::sort(values.begin(), values.end());
    const auto quantile = [&](double share) { return values[static_cast<std::size_t>(share * 99.0)]; };
    const double from = uniform(generator, 0.0, 0.6);
    const double to = uniform(generator, from + 0.2, 1.0);
    response.low = quantile(from);
    response.high = quantile(to) + uniform(generator, 0.01, 0.5);
    response.target = *response.low + uniform(generator, 0.2, 0.8) * (*response.high - *response.low);
    constexpr std::array kGoals = {study::Goal::Maximize, study::Goal::Minimize, study::Goal::Target,
                                   study::Goal::Maximize, study::Goal::Minimize, study::Goal::None};
    response.goal = kGoals[generator() % kGoals.size()];
    response.weight = std::array{0.1, 0.5, 1.0, 1.0, 3.0}[generator() % 5];
    response.shape = {std::array{0.3, 1.0, 1.0, 2.0, 5.0}[generator() % 5],
                      std::array{0.5, 1.0, 1.0, 3.0}[generator() % 4]};
}

/// Half of the way between the smallest and largest value of a sum or product of two numeric factors.
void addConstraints(study::Study& study, std::mt19937_64& generator)
{
    std::vector<const study::Factor*> numeric;
    for (const study::Factor& factor : study.factors) {
        if (factor.isNumeric())
            numeric.push_back(&factor);
    }
    if (numeric.size() < 2)
        return;
    const study::Factor& a = *numeric[generator() % numeric.size()];
    const study::Factor& b = *numeric[(generator() % (numeric.size() - 1) + 1)];
    const double share = uniform(generator, 0.35, 0.8);
    const auto between = [&](double low, double high) { return study::toText(low + share * (high - low)); };
    if (generator() % 2)
        study.constraints.push_back(a.name + " + " + b.name +
                                    " <= " + between(a.low + b.low, a.high + b.high));
    else
        study.constraints.push_back(a.name + " * " + b.name +
                                    " <= " + between(a.low * b.low, a.high * b.high));
    if (generator() % 3 == 0)
        study.constraints.push_back(a.name + " >= " + study::toText(a.low + 0.2 * (a.high - a.low)));
}

/// Coded values of each factor on the grid, thinned out until there are few enough points.
std::vector<std::vector<double>> gridOf(const study::Study& study, std::size_t most)
{
    const study::Coding coding(study.factors);
    std::vector<std::vector<double>> values(study.factors.size());
    const std::size_t steps = std::array<std::size_t, 7>{0, 401, 141, 27, 12, 7, 6}[study.factors.size()];
    for (std::size_t i = 0; i < values.size(); ++i) {
        const study::Factor& factor = study.factors[i];
        if (factor.type == study::FactorType::Continuous)
            for (std::size_t s = 0; s < steps; ++s)
                values[i].push_back(-1.0 + 2.0 * static_cast<double>(s) / static_cast<double>(steps - 1));
        else if (factor.isNumeric())
            for (const double actual : study::legalValues(factor, factor.low, factor.high))
                values[i].push_back(coding.toCoded(i, actual));
        else
            for (std::size_t level = 0; level < factor.categories.size(); ++level)
                values[i].push_back(static_cast<double>(level));
    }
    const auto count = [&] {
        double product = 1.0;
        for (const auto& list : values)
            product *= static_cast<double>(list.size());
        return product;
    };
    while (count() > static_cast<double>(most)) {
        auto& longest = *std::max_element(values.begin(), values.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
        for (std::size_t i = 1; i + 1 < longest.size(); ++i)
            longest.erase(longest.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return values;
}

struct Found {
    study::CodedPoint point;
    double overall = 0.0;
};

/// Overall desirability at a coded point, 0 where the constraints do not hold.
class Problem {
public:
    explicit Problem(const Fitted& fitted)
        : m_fitted(fitted)
        , m_coding(fitted.study.factors)
    {
        for (const std::string& text : fitted.study.constraints)
            m_constraints.emplace_back(text);
        for (std::size_t i = 0; i < fitted.fits.size(); ++i)
            m_desirabilities.push_back(desirabilityOf(fitted.study.responses[i], fitted.fits[i]));
    }

    double operator()(const study::CodedPoint& point) const
    {
        double logarithms = 0.0;
        double weights = 0.0;
        for (std::size_t i = 0; i < m_desirabilities.size(); ++i) {
            const Desirability& d = m_desirabilities[i];
            if (d.goal == study::Goal::None || !(d.weight > 0.0))
                continue;
            const double value = valueOf(d, model::predictMean(m_fitted.fits[i], point));
            if (value <= 0.0)
                return 0.0;
            logarithms += d.weight * std::log(value);
            weights += d.weight;
        }
        return isLegal(point) ? std::exp(logarithms / weights) : 0.0;
    }

private:
    bool isLegal(const study::CodedPoint& point) const
    {
        if (m_constraints.empty())
            return true;
        const study::Settings settings = m_coding.toLegalSettings(point);
        return std::all_of(m_constraints.begin(), m_constraints.end(),
                           [&](const study::Constraint& constraint) { return constraint.holds(settings); });
    }

    const Fitted& m_fitted;
    study::Coding m_coding;
    std::vector<study::Constraint> m_constraints;
    std::vector<Desirability> m_desirabilities;
};

/// Random steps of the continuous factors, shorter and shorter.
void refine(const Problem& problem, const study::Study& study, Found& found, std::mt19937_64& generator)
{
    for (double size = 0.2; size > 1e-7; size *= 0.6) {
        for (int step = 0; step < kSteps; ++step) {
            study::CodedPoint trial = found.point;
            const bool isSingle = step % 3 == 0;
            const std::size_t chosen = generator() % study.factors.size();
            for (std::size_t i = 0; i < study.factors.size(); ++i) {
                if (study.factors[i].type != study::FactorType::Continuous || (isSingle && i != chosen))
                    continue;
                double& x = trial[static_cast<Eigen::Index>(i)];
                x = std::clamp(x + size * normal(generator), -1.0, 1.0);
            }
            const double overall = problem(trial);
            if (overall > found.overall)
                found = {trial, overall};
        }
    }
}

} // namespace

Fitted randomProblem(std::mt19937_64& generator, FactorMix mix)
{
    Fitted fitted;
    study::Study& study = fitted.study;
    const std::size_t factors = 2 + generator() % (mix == FactorMix::Listed ? 3 : 5);
    for (std::size_t i = 0; i < factors; ++i) {
        study.factors.push_back(randomFactor(generator, mix));
        study.factors.back().name = std::string(1, static_cast<char>('a' + i));
    }
    const std::size_t responses = 1 + generator() % 5;
    for (std::size_t r = 0; r < responses; ++r) {
        study::Response response;
        response.name = "y" + std::to_string(r);
        std::vector<double> beta(
            model::columnsOf(model::termsOf(model::Order::Quadratic, study.factors), study.factors).size());
        for (double& b : beta)
            b = normal(generator);
        fitted.fits.push_back(polynomialFit(study, response.name, beta, -3.0, 3.0));
        setGoal(study, response, fitted.fits.back(), generator);
        if (r == 0 && response.goal == study::Goal::None)
            response.goal = study::Goal::Maximize;
        study.responses.push_back(response);
    }
    if (generator() % 3 == 0)
        addConstraints(study, generator);
    return fitted;
}

std::size_t countSettings(const study::Study& study)
{
    std::size_t count = 1;
    for (const study::Factor& factor : study.factors) {
        if (factor.type == study::FactorType::Continuous)
            return 0;
        count *= factor.isNumeric() ? study::legalValues(factor, factor.low, factor.high).size()
                                    : factor.categories.size();
    }
    return count <= kMostPoints ? count : 0;
}

double bestByGrid(const Fitted& fitted, std::mt19937_64& generator)
{
    const Problem problem(fitted);
    const std::vector<std::vector<double>> values = gridOf(fitted.study, kMostPoints);
    std::vector<Found> best;
    std::vector<std::size_t> at(values.size(), 0);
    while (at.back() < values.back().size()) {
        study::CodedPoint point{Eigen::VectorXd(std::ssize(values))};
        for (std::size_t i = 0; i < at.size(); ++i)
            point[static_cast<Eigen::Index>(i)] = values[i][at[i]];
        const double overall = problem(point);
        if (best.size() < kRefined || overall > best.back().overall) {
            best.push_back({point, overall});
            std::stable_sort(best.begin(), best.end(),
                             [](const Found& a, const Found& b) { return a.overall > b.overall; });
            best.resize(std::min(best.size(), kRefined));
        }
        for (std::size_t i = 0; i < at.size() && ++at[i] == values[i].size() && i + 1 < at.size(); ++i)
            at[i] = 0;
    }
    for (Found& found : best)
        refine(problem, fitted.study, found, generator);
    double overall = 0.0;
    for (const Found& found : best)
        overall = std::max(overall, found.overall);
    return overall;
}

} // namespace quadric::optimize
