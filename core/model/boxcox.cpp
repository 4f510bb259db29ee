// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/boxcox.h"
#include "core/model/distributions.h"
#include "core/model/regression.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::model {

namespace {

using study::Transform;
using study::TransformKind;

constexpr double kLargestPower = 5.0;
constexpr int kProfilePoints = 101;
constexpr double kAlpha = 0.05;
constexpr double kZeroPower = 1e-8;
constexpr double kPowerTolerance = 1e-9;

/// Log likelihood of a power with the columns of a model.
class Profile {
public:
    Profile(const Eigen::MatrixXd& x, const Eigen::VectorXd& y)
        : m_x(x)
        , m_qr(x)
        , m_log(y.array().log())
        , m_meanLog(m_log.mean())
    {
    }

    double operator()(double power) const
    {
        Eigen::VectorXd z = m_log.array() - m_meanLog;
        if (std::abs(power) >= kZeroPower)
            z = z.unaryExpr([power](double v) { return std::expm1(power * v) / power; }).eval();
        const double n = static_cast<double>(z.size());
        const double sse = (z - m_x * m_qr.solve(z)).squaredNorm();
        return -n / 2 * (std::log(sse / n) + 2 * m_meanLog);
    }

private:
    Eigen::MatrixXd m_x;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> m_qr;
    Eigen::VectorXd m_log;
    double m_meanLog;
};

/// Golden section between the neighbours of the best point of the profile.
double maximize(const Profile& profile, double low, double high)
{
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    while (high - low > kPowerTolerance) {
        const double a = high - ratio * (high - low);
        const double b = low + ratio * (high - low);
        (profile(a) < profile(b) ? low : high) = profile(a) < profile(b) ? a : b;
    }
    return (low + high) / 2;
}

/// Where the profile falls through `level` between the maximum and a bound; empty where it does not.
std::optional<double> crossing(const Profile& profile, double inside, double outside, double level)
{
    if (profile(outside) >= level)
        return std::nullopt;
    while (std::abs(outside - inside) > kPowerTolerance) {
        const double middle = (inside + outside) / 2;
        (profile(middle) >= level ? inside : outside) = middle;
    }
    return (inside + outside) / 2;
}

Transform recommend(const BoxCox& result, const Profile& profile)
{
    const auto isInside = [&](double power) {
        return power >= result.low.value_or(-kLargestPower) && power <= result.high.value_or(kLargestPower);
    };
    if (isInside(1.0))
        return {};
    const std::vector<std::pair<double, TransformKind>> simple{
        {0.5, TransformKind::Sqrt}, {0.0, TransformKind::Log}, {-1.0, TransformKind::Inverse}};
    Transform best{TransformKind::BoxCox, std::round(result.lambda * 10) / 10};
    double bestLikelihood = -std::numeric_limits<double>::infinity();
    for (const auto& [power, kind] : simple) {
        if (isInside(power) && profile(power) > bestLikelihood) {
            best = {kind, 1.0};
            bestLikelihood = profile(power);
        }
    }
    return best;
}

BoxCox profileOf(const Profile& profile)
{
    BoxCox result;
    for (int i = 0; i < kProfilePoints; ++i) {
        result.powers.push_back(-kLargestPower + 2 * kLargestPower * i / (kProfilePoints - 1));
        result.logLikelihood.push_back(profile(result.powers.back()));
    }
    const auto best = std::max_element(result.logLikelihood.begin(), result.logLikelihood.end());
    const double center = result.powers[static_cast<std::size_t>(best - result.logLikelihood.begin())];
    const double step = 2 * kLargestPower / (kProfilePoints - 1);
    result.lambda =
        maximize(profile, std::max(center - step, -kLargestPower), std::min(center + step, kLargestPower));
    const double level = profile(result.lambda) - chiSquaredLimit(kAlpha) / 2;
    result.low = crossing(profile, result.lambda, -kLargestPower, level);
    result.high = crossing(profile, result.lambda, kLargestPower, level);
    result.recommended = recommend(result, profile);
    return result;
}

} // namespace

std::optional<BoxCox> boxCox(const study::Study& study, const Fit& fit)
{
    if (!fit.isOk() || fit.dfResidual == 0 || !fit.r2 || fit.sigma <= 0)
        return std::nullopt;
    const Observations data = collect(study, fit.response);
    if (data.size() != fit.n || data.y.minCoeff() <= 0)
        return std::nullopt;
    const Regression regression = solveRegression(data, fit.factors, fit.terms, FitOptions{}.rankTolerance);
    const Profile profile(regression.x, data.y);
    BoxCox result = profileOf(profile);
    const bool isFinite = std::all_of(result.logLikelihood.begin(), result.logLikelihood.end(),
                                      [](double value) { return std::isfinite(value); });
    return isFinite ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace quadric::model
