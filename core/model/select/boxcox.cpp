// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/boxcox.h"
#include "core/model/base/distributions.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace quadric::model {

namespace {

using study::Transform;
using study::TransformKind;

constexpr double kLargestPower = 5.0;
constexpr int kProfilePoints = 101;
constexpr double kPowerStep = 2 * kLargestPower / (kProfilePoints - 1);
constexpr double kAlpha = 0.05;
constexpr double kPowerTolerance = 1e-9;
/// Below this part of the whole the residual sum of squares is taken from the residuals, not as a difference.
constexpr double kCancels = 1e-3;
/// Bits to which the maximum is found: half of a double, nearer the profile is flat to rounding.
constexpr int kMinimumBits = 26;
constexpr std::uintmax_t kMostSteps = 100;

/// Log likelihood of powers with the columns of a model.
class Profile {
public:
    Profile(const Eigen::MatrixXd& basis, const Eigen::VectorXd& y)
        : m_basis(basis)
        , m_log(y.array().log())
        , m_meanLog(m_log.mean())
    {
        m_log.array() -= m_meanLog;
    }

    double operator()(double power) const
    {
        m_z = m_log;
        if (std::abs(power) >= kZeroPower) {
            for (double& z : m_z)
                z = std::expm1(power * z) / power;
        }
        return likelihoodOf();
    }

    /// At 0, step, 2 step, … with one multiplication a run and power: e^(a+b) − 1 = A + B + AB, where A and B
    /// have the same sign, so that nothing cancels.
    std::vector<double> alongRay(double step, int count) const
    {
        std::vector<double> values{(*this)(0.0)};
        const Eigen::ArrayXd one = (step * m_log).array().unaryExpr([](double v) { return std::expm1(v); });
        Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(m_log.size());
        for (int i = 1; i <= count; ++i) {
            sum += one + sum * one;
            m_z = sum / (step * i);
            values.push_back(likelihoodOf());
        }
        return values;
    }

    /// How far the likelihood falls to the ends of the interval, where the residual sum of squares is by the
    /// factor 1 + t²/ν above the smallest (Montgomery 15.1).
    double depth() const
    {
        const double n = static_cast<double>(m_basis.rows());
        const double df = n - static_cast<double>(m_basis.cols());
        const double t = tLimit(kAlpha, df);
        return n / 2 * std::log1p(t * t / df);
    }

private:
    double likelihoodOf() const
    {
        m_projection.noalias() = m_basis.transpose() * m_z;
        const double whole = m_z.squaredNorm();
        double sse = whole - m_projection.squaredNorm();
        if (!(sse > kCancels * whole)) {
            m_z.noalias() -= m_basis * m_projection;
            sse = m_z.squaredNorm();
        }
        const double n = static_cast<double>(m_z.size());
        return -n / 2 * (std::log(sse / n) + 2 * m_meanLog);
    }

    const Eigen::MatrixXd& m_basis;
    Eigen::VectorXd m_log;
    double m_meanLog;
    mutable Eigen::VectorXd m_z, m_projection;
};

/// The highest point between the neighbors of the best point of the profile.
double maximize(const Profile& profile, double low, double high)
{
    const auto negative = [&](double power) { return -profile(power); };
    return boost::math::tools::brent_find_minima(negative, low, high, kMinimumBits).first;
}

/// Where the profile falls through `level` between the maximum and a bound; empty where it does not.
std::optional<double> crossing(const Profile& profile, double inside, double outside, double level)
{
    const auto excess = [&](double power) { return profile(power) - level; };
    const double atInside = excess(inside), atOutside = excess(outside);
    if (!(atOutside < 0) || !(atInside > 0))
        return std::nullopt;
    const auto isNear = [](double a, double b) { return std::abs(a - b) <= kPowerTolerance; };
    std::uintmax_t steps = kMostSteps;
    const bool isAscending = inside < outside;
    const auto [a, b] =
        isAscending
            ? boost::math::tools::toms748_solve(excess, inside, outside, atInside, atOutside, isNear, steps)
            : boost::math::tools::toms748_solve(excess, outside, inside, atOutside, atInside, isNear, steps);
    return (a + b) / 2;
}

/// The powers of the profile, ascending, with their likelihoods.
void fillProfile(const Profile& profile, BoxCox& result)
{
    const int half = kProfilePoints / 2;
    std::vector<double> below = profile.alongRay(-kPowerStep, half);
    const std::vector<double> above = profile.alongRay(kPowerStep, half);
    result.logLikelihood.assign(below.rbegin(), below.rend());
    result.logLikelihood.insert(result.logLikelihood.end(), above.begin() + 1, above.end());
    for (int i = 0; i < kProfilePoints; ++i)
        result.powers.push_back(-kLargestPower + kPowerStep * i);
}

std::optional<BoxCox> maximizeProfile(const Profile& profile)
{
    BoxCox result;
    fillProfile(profile, result);
    if (!std::ranges::all_of(result.logLikelihood, [](double value) { return std::isfinite(value); }))
        return std::nullopt;
    const auto best = std::max_element(result.logLikelihood.begin(), result.logLikelihood.end());
    const double center = result.powers[static_cast<std::size_t>(best - result.logLikelihood.begin())];
    result.lambda = maximize(profile, std::max(center - kPowerStep, -kLargestPower),
                             std::min(center + kPowerStep, kLargestPower));
    const double level = profile(result.lambda) - profile.depth();
    result.low = crossing(profile, result.lambda, -kLargestPower, level);
    result.high = crossing(profile, result.lambda, kLargestPower, level);
    return result;
}

/// An orthonormal basis of the columns of a fit's model, and its values; empty where no power can be judged.
struct Columns {
    Eigen::MatrixXd basis;
    Eigen::VectorXd y;
};

std::optional<Columns> columnsOf(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr || fit.dfResidual == 0 || !fit.r2 || fit.sigma <= 0 ||
        fit.transform.kind == TransformKind::Logit)
        return std::nullopt;
    const Eigen::VectorXd& y = fit.data->observations.y;
    if (y.minCoeff() <= 0)
        return std::nullopt;
    if (!fit.data->observations.blockRatio)
        return Columns{fit.data->regression.solution.basis, y};
    Observations fixed = fit.data->observations; // the variance between blocks belongs to one transform
    fixed.blockRatio.reset();
    return Columns{solveRegression(fixed, fit.factors, fit.terms).solution.basis, y};
}

void addSteps(std::vector<double>& powers, double low, double high, int steps)
{
    for (int i = 0; i <= steps; ++i)
        powers.push_back(std::lerp(low, high, static_cast<double>(i) / steps));
}

} // namespace

std::optional<BoxCox> boxCox(const Fit& fit)
{
    const std::optional<Columns> columns = columnsOf(fit);
    return columns ? maximizeProfile(Profile(columns->basis, columns->y)) : std::nullopt;
}

BoxCoxCurve boxCoxCurve(const Fit& fit, const BoxCox& profile, double low, double high)
{
    constexpr int kEvenSteps = 160, kFineSteps = 80;
    BoxCoxCurve curve;
    const std::optional<Columns> columns = columnsOf(fit);
    if (!columns)
        return curve;
    addSteps(curve.powers, low, high, kEvenSteps);
    const double from = profile.low.value_or(low), to = profile.high.value_or(high);
    const double beside = 1.5 * (to - from);
    addSteps(curve.powers, std::max(low, from - beside), std::min(high, to + beside), kFineSteps);
    for (const double exact : {profile.lambda, from, to})
        if (low <= exact && exact <= high)
            curve.powers.push_back(exact);
    std::ranges::sort(curve.powers);
    const Profile likelihood(columns->basis, columns->y);
    for (const double power : curve.powers)
        curve.logLikelihood.push_back(likelihood(power));
    return curve;
}

double powerOf(const Transform& transform)
{
    switch (transform.kind) {
    case TransformKind::None:
        return 1.0;
    case TransformKind::Log:
        return 0.0;
    case TransformKind::Sqrt:
        return 0.5;
    case TransformKind::Inverse:
        return -1.0;
    case TransformKind::Logit: // no power, but rising
        return 1.0;
    case TransformKind::BoxCox:
        break;
    }
    return transform.lambda;
}

} // namespace quadric::model
