// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/optimal/round_levels.h"

#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

constexpr int kFewestDigits = 2;
constexpr int kMostTriedDigits = 6;

/// What rounding may cost before it takes another digit.
constexpr double kLittleLoss = 0.01;

/// Combinations of neighboring levels that are tried for a run that a constraint forbids.
constexpr double kMostNeighbors = 4096;

/// A level this near to a settable one, in steps, is that one.
constexpr double kOnStep = 1e-6;

bool isRounded(const OptimalProblem& problem, Eigen::Index factor)
{
    const study::LegalAxis& axis = problem.legal().axis(factor);
    return axis.kind == study::LegalAxis::Kind::Continuous && !axis.snaps;
}

/// The settable levels next to each coordinate of a run, coded.
std::vector<std::vector<double>> findNeighbors(const OptimalProblem& problem, const Eigen::RowVectorXd& point,
                                               int digits)
{
    const study::Coding& coding = problem.legal().coding();
    std::vector<std::vector<double>> levels;
    for (Eigen::Index i = 0; i < point.size(); ++i) {
        levels.push_back({point[i]});
        if (!isRounded(problem, i))
            continue;
        const auto factor = static_cast<std::size_t>(i);
        const double actual = coding.toActual(factor, point[i]);
        const study::Range around = findSettable(coding.factors()[factor], actual, digits);
        if (around.isPoint() && around.low == actual)
            continue;
        levels.back() = {coding.toCoded(factor, around.low)};
        if (!around.isPoint())
            levels.back().push_back(coding.toCoded(factor, around.high));
    }
    return levels;
}

/// Whether the constraints hold at the settings that the point stands for: the short decimals, not what the
/// coding makes of them.
bool canBeRun(const study::Study& study, const OptimalProblem& problem, const Eigen::VectorXd& point)
{
    return problem.legal().isAllowed(point) &&
           (study.constraints.empty() ||
            study::isLegal(study, problem.legal().coding().toLegalSettings(study::CodedPoint(point))));
}

/// The nearest settable point that the constraints allow; the point itself where there is none.
Eigen::RowVectorXd roundPoint(const study::Study& study, const OptimalProblem& problem,
                              const Eigen::RowVectorXd& point, int digits)
{
    const std::vector<std::vector<double>> levels = findNeighbors(problem, point, digits);
    Eigen::VectorXd nearest(point.size());
    for (Eigen::Index i = 0; i < point.size(); ++i) {
        const std::vector<double>& each = levels[static_cast<std::size_t>(i)];
        nearest[i] =
            *std::ranges::min_element(each, {}, [&](double level) { return std::abs(level - point[i]); });
    }
    if (canBeRun(study, problem, nearest))
        return nearest.transpose();
    const double count = study::countCombinations(levels);
    Eigen::RowVectorXd best = point;
    double distance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; count <= kMostNeighbors && i < static_cast<std::size_t>(count); ++i) {
        const Eigen::VectorXd other = study::combinationAt(levels, i);
        const double away = (other.transpose() - point).norm();
        if (away < distance && canBeRun(study, problem, other)) {
            distance = away;
            best = other.transpose();
        }
    }
    return best;
}

/// Empty where the rounded runs cannot estimate the model.
std::optional<RoundedDesign> roundTo(const study::Study& study, const OptimalProblem& problem,
                                     const Candidate& exact, int digits)
{
    RoundedDesign rounded{exact, digits, 0.0};
    for (auto point : rounded.design.points.rowwise())
        point = roundPoint(study, problem, point, digits);
    Exchange exchange = problem.exchangeOf(rounded.design.points);
    if (!exchange.refresh())
        return std::nullopt;
    rounded.design.value = exchange.value();
    const double before = problem.reported(exact.value);
    const double after = problem.reported(exchange.value());
    rounded.loss = 1.0 - (exchange.criterion() == Criterion::D ? after / before : before / after);
    return rounded;
}

} // namespace

study::Range findSettable(const study::Factor& factor, double actual, int digits)
{
    if (actual <= factor.low || actual >= factor.high || digits < 1)
        return {actual, actual};
    const double scale = factor.scale == study::Scale::Log2 ? actual : factor.high - factor.low;
    const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(scale)));
    const double power = std::pow(10.0, std::abs(decimals));
    const double steps = decimals >= 0 ? actual * power : actual / power;
    const auto valueAt = [&](double step) {
        return std::clamp(decimals >= 0 ? step / power : step * power, factor.low, factor.high);
    };
    if (std::abs(steps - std::round(steps)) < kOnStep)
        return {valueAt(std::round(steps)), valueAt(std::round(steps))};
    return {valueAt(std::floor(steps)), valueAt(std::ceil(steps))};
}

RoundedDesign roundLevels(const study::Study& study, const OptimalProblem& problem, const Candidate& exact,
                          std::optional<int> digits)
{
    bool hasContinuous = false;
    for (Eigen::Index i = 0; i < problem.legal().size(); ++i)
        hasContinuous = hasContinuous || isRounded(problem, i);
    if (!hasContinuous || digits == 0)
        return {exact};
    if (digits) {
        if (std::optional<RoundedDesign> rounded = roundTo(study, problem, exact, *digits))
            return *std::move(rounded);
        throw DesignError("the model cannot be estimated from levels of " +
                          text::formatCount(*digits, "digit") +
                          ", as a share of the range; allow more digits");
    }
    for (int tried = kFewestDigits; tried <= kMostTriedDigits; ++tried)
        if (std::optional<RoundedDesign> rounded = roundTo(study, problem, exact, tried);
            rounded && rounded->loss < kLittleLoss)
            return *std::move(rounded);
    return {exact};
}

} // namespace quadric::design
