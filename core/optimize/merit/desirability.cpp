// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/desirability.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::optimize {

namespace {

/// A smaller share of the range is a difference that rounding made: y lies on its limit.
constexpr double kRounding = 1e-12;

/// Share of the way from `zero` (d = 0) to `one` (d = 1), inside [0, 1]; a step where both are the same.
double ramp(double y, double zero, double one)
{
    if (zero == one)
        return y == one ? 1.0 : 0.0;
    const double share = (y - zero) / (one - zero);
    return share <= kRounding ? 0.0 : std::min(share, 1.0);
}

double rising(double y, double low, double high)
{
    return y >= high ? 1.0 : low < high ? ramp(y, low, high) : 0.0;
}

double falling(double y, double low, double high)
{
    return y <= low ? 1.0 : low < high ? ramp(y, high, low) : 0.0;
}

/// Most shapes are straight, and a power takes as long as all else.
double shaped(double share, double exponent)
{
    return exponent == 1.0 ? share : std::pow(share, exponent);
}

/// Width given to a range whose default end lies on the wrong side of what the user set.
double widthOf(const model::Fit& fit, double around)
{
    const double observed = fit.largestObserved - fit.smallestObserved;
    return observed > 0.0 ? observed : std::max(std::abs(around), 1.0);
}

/// The observed end, or the model's own best beyond it. Farther than so many observed ranges a prediction
/// says more of a transform's pole than of the response.
constexpr double kFarthest = 10.0;

/// A search for the own best ends somewhat before it, another one perhaps somewhat earlier: this share of the
/// observed range before the end is the end.
constexpr double kReached = 1e-9;

double wishedEnd(const study::Response& response, const model::Fit& fit, study::Goal goal)
{
    const bool isHigh = goal == study::Goal::Maximize;
    const double observed = isHigh ? fit.largestObserved : fit.smallestObserved;
    if (response.goal != goal || !fit.ownBest || fit.ownBest->goal != goal)
        return observed;
    const double range = fit.largestObserved - fit.smallestObserved;
    const double best = fit.ownBest->value + (isHigh ? -kReached : kReached) * range;
    return isHigh ? std::clamp(best, observed, observed + kFarthest * range)
                  : std::clamp(best, observed - kFarthest * range, observed);
}

/// Moves default limits so that low < target < high, or low < high without a target.
void separateDefaults(Desirability& result, const model::Fit& fit)
{
    const bool hasTarget = result.goal == study::Goal::Target;
    const double above = hasTarget ? result.target : result.low;
    if (result.highIsDefault && result.high <= above)
        result.high = above + widthOf(fit, above);
    const double below = hasTarget ? result.target : result.high;
    if (result.lowIsDefault && result.low >= below)
        result.low = below - widthOf(fit, below);
}

std::string reasonOf(const model::Fit* fit)
{
    if (!fit)
        return "no model";
    return fit->isOk() ? "its model was made with other factors" : fit->message;
}

/// Predictions from here on stand for "cannot be given back in the response's own unit".
constexpr double kUnpredictable = 1e299;
constexpr double kWorst = -1e300;

/// Smallest width of a desirability ramp, relative to its end: a limit that is a step gets this slope.
constexpr double kStepWidth = 1e-9;

double widthOf(double from, double to)
{
    return std::max(to - from, kStepWidth * std::max({1.0, std::abs(from), std::abs(to)}));
}

void appendPieces(const Desirability& d, Eigen::Index response, std::vector<Piece>& pieces)
{
    const auto rising = [&](double one) {
        const double width = widthOf(d.low, one);
        pieces.push_back({response, 1.0, one - width, width, d.shapeBelow, d.weight});
    };
    const auto falling = [&](double one) {
        const double width = widthOf(one, d.high);
        pieces.push_back({response, -1.0, one + width, width, d.shapeAbove, d.weight});
    };
    if (d.goal == study::Goal::Maximize)
        rising(d.high);
    if (d.goal == study::Goal::Minimize)
        falling(d.low);
    if (d.goal == study::Goal::Target) {
        rising(d.target);
        falling(d.target);
    }
}

std::vector<Piece> piecesOf(const std::vector<Desirability>& desirabilities)
{
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < desirabilities.size(); ++i) {
        if (desirabilities[i].weight > 0.0)
            appendPieces(desirabilities[i], static_cast<Eigen::Index>(i), pieces);
    }
    return pieces;
}

} // namespace

Desirability desirabilityOf(const study::Response& response, const model::Fit& fit)
{
    Desirability result;
    result.response = response.name;
    result.goal = response.goal;
    result.target = response.target;
    result.low = response.low.value_or(wishedEnd(response, fit, study::Goal::Minimize));
    result.high = response.high.value_or(wishedEnd(response, fit, study::Goal::Maximize));
    result.lowIsDefault = !response.low.has_value();
    result.highIsDefault = !response.high.has_value();
    if (!response.shape.empty()) {
        result.shapeBelow = response.shape.front();
        result.shapeAbove = response.shape.back();
    }
    result.weight = response.weight;
    separateDefaults(result, fit);
    return result;
}

double valueOf(const Desirability& desirability, double y)
{
    if (!std::isfinite(y))
        return 0.0;
    const Desirability& d = desirability;
    switch (d.goal) {
    case study::Goal::Maximize:
        return shaped(rising(y, d.low, d.high), d.shapeBelow);
    case study::Goal::Minimize:
        return shaped(falling(y, d.low, d.high), d.shapeAbove);
    case study::Goal::Target:
        return y <= d.target ? shaped(rising(y, d.low, d.target), d.shapeBelow)
                             : shaped(falling(y, d.target, d.high), d.shapeAbove);
    case study::Goal::None:
        break;
    }
    return 1.0;
}

bool takesPart(const Desirability& desirability)
{
    return desirability.goal != study::Goal::None && desirability.weight > 0.0;
}

bool takesPart(const study::Response& response)
{
    return response.goal != study::Goal::None && response.weight > 0.0;
}

SetLimits setLimitsOf(const Desirability& desirability)
{
    SetLimits limits;
    if (!takesPart(desirability))
        return limits;
    if (desirability.goal != study::Goal::Minimize && !desirability.lowIsDefault)
        limits.low = desirability.low;
    if (desirability.goal != study::Goal::Maximize && !desirability.highIsDefault)
        limits.high = desirability.high;
    return limits;
}

bool hasSetLimits(const study::Study& study)
{
    return std::ranges::any_of(study.responses, [](const study::Response& response) {
        return takesPart(response) && ((response.goal != study::Goal::Minimize && response.low) ||
                                       (response.goal != study::Goal::Maximize && response.high));
    });
}

double overall(const std::vector<Desirability>& desirabilities, const std::vector<double>& predicted)
{
    double logarithms = 0.0;
    double weights = 0.0;
    for (std::size_t i = 0; i < desirabilities.size() && i < predicted.size(); ++i) {
        const Desirability& desirability = desirabilities[i];
        if (!takesPart(desirability))
            continue;
        const double value = valueOf(desirability, predicted[i]);
        if (value <= 0.0)
            return 0.0;
        logarithms += desirability.weight * std::log(value);
        weights += desirability.weight;
    }
    return weights > 0.0 ? std::exp(logarithms / weights) : 1.0;
}

bool Goals::hasCompromise() const
{
    return std::any_of(desirabilities.begin(), desirabilities.end(),
                       [](const Desirability& each) { return takesPart(each); });
}

std::vector<Desirability> Goals::findWanted() const
{
    std::vector<Desirability> wanted = desirabilities;
    std::erase_if(wanted, [](const Desirability& each) { return !takesPart(each); });
    return wanted;
}

std::ptrdiff_t Goals::countWanted() const
{
    return std::ranges::count_if(desirabilities,
                                 [](const Desirability& each) { return each.goal != study::Goal::None; });
}

Goals goalsOf(const study::Study& study, const std::vector<model::Fit>& fits)
{
    Goals goals;
    for (const study::Response& response : study.responses) {
        const auto found = std::find_if(fits.begin(), fits.end(),
                                        [&](const model::Fit& fit) { return fit.response == response.name; });
        const model::Fit* fit = found == fits.end() ? nullptr : &*found;
        if (fit && fit->isOk() && fit->factors == study.factors) {
            goals.fits.push_back(fit);
            goals.desirabilities.push_back(desirabilityOf(response, *fit));
        } else if (takesPart(response)) {
            goals.leftOut += (goals.leftOut.empty() ? "" : ", ") + response.name + " (" + reasonOf(fit) + ")";
        }
    }
    return goals;
}

std::optional<std::vector<double>> findMeasured(const study::Run& run,
                                                const std::vector<Desirability>& wanted)
{
    std::vector<double> values;
    for (const Desirability& desirability : wanted) {
        const auto found = run.results.find(desirability.response);
        if (found == run.results.end() || !std::isfinite(found->second))
            return std::nullopt;
        values.push_back(found->second);
    }
    return values;
}

double observedWidth(const model::Fit& fit)
{
    const double width = fit.largestObserved - fit.smallestObserved;
    return width > 0.0 && std::isfinite(width) ? width : 1.0;
}

double shortfall(const Desirability& desirability, double best, double y)
{
    switch (desirability.goal) {
    case study::Goal::Maximize:
        return std::max(0.0, best - y);
    case study::Goal::Minimize:
        return std::max(0.0, y - best);
    case study::Goal::Target:
        return std::max(0.0, std::abs(y - desirability.target) - std::abs(best - desirability.target));
    case study::Goal::None:
        break;
    }
    return 0.0;
}

Merit::Merit(MeritMode mode, std::vector<Piece> pieces)
    : m_mode(mode)
    , m_pieces(std::move(pieces))
{
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        if (i == 0 || m_pieces[i].response != m_pieces[i - 1].response)
            m_totalWeight += m_pieces[i].weight;
    }
}

template <class Value> double Merit::combine(Value valueOf) const
{
    double worst = std::numeric_limits<double>::max();
    double logarithms = 0.0;
    for (std::size_t i = 0; i < m_pieces.size();) {
        const Eigen::Index response = m_pieces[i].response;
        const double weight = m_pieces[i].weight;
        double logarithm = 0.0;
        double least = std::numeric_limits<double>::max();
        for (; i < m_pieces.size() && m_pieces[i].response == response; ++i) {
            const double quality = valueOf(m_pieces[i]);
            least = std::min(least, quality);
            if (m_mode != MeritMode::Minimum && quality > 0.0 && quality < 1.0)
                logarithm = std::min(logarithm, m_pieces[i].exponent * std::log(quality));
        }
        worst = std::min(worst, least);
        logarithms += weight * logarithm;
    }
    if (m_mode == MeritMode::Minimum || worst <= 0.0)
        return worst;
    return std::max(std::exp(logarithms / m_totalWeight), std::numeric_limits<double>::min());
}

double Merit::operator()(const Eigen::ArrayXd& y) const
{
    for (const Piece& piece : m_pieces) {
        if (!(std::abs(y[piece.response]) < kUnpredictable))
            return kWorst;
    }
    return combine([&](const Piece& piece) { return piece.quality(y[piece.response]); });
}

double Merit::bound(const Eigen::ArrayXd& low, const Eigen::ArrayXd& high) const
{
    return combine([&](const Piece& piece) {
        return piece.quality(piece.sign > 0.0 ? high[piece.response] : low[piece.response]);
    });
}

double Merit::ceiling() const
{
    return m_mode == MeritMode::Product ? 1.0 : std::numeric_limits<double>::max();
}

Merit compromiseMerit(const std::vector<Desirability>& desirabilities)
{
    return {MeritMode::Product, piecesOf(desirabilities)};
}

Merit slackMerit(const std::vector<Desirability>& desirabilities)
{
    std::vector<Piece> pieces = piecesOf(desirabilities);
    for (Piece& piece : pieces)
        piece.offset += piece.sign * piece.width;
    return {MeritMode::Minimum, std::move(pieces)};
}

Merit ownMerit(Eigen::Index response, study::Goal goal, double target, double width)
{
    std::vector<Piece> pieces;
    if (goal != study::Goal::Minimize)
        pieces.push_back({response, 1.0, target, width});
    if (goal != study::Goal::Maximize)
        pieces.push_back({response, -1.0, target, width});
    return {MeritMode::Minimum, std::move(pieces)};
}

} // namespace quadric::optimize
