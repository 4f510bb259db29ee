// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/observations.h"

#include "core/study/response.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

namespace quadric::model {

using study::TransformKind;

namespace {

/// Largest argument of exp() that is let through.
constexpr double kLargestExponent = 690.0;
constexpr double kLargestValue = 1e300;

/// A value at a bound moved inside, where the transform says by how much.
double moveInsideBounds(const study::Transform& transform, double y)
{
    const bool isLogit = transform.kind == TransformKind::Logit;
    if (y == (isLogit ? transform.low : 0.0))
        return y + transform.inset;
    return isLogit && y == transform.high ? y - transform.inset : y;
}

std::optional<double> logit(const study::Transform& transform, double y)
{
    const double above = y - transform.low, below = transform.high - y;
    return above > 0.0 && below > 0.0 ? std::optional(std::log(above / below)) : std::nullopt;
}

/// Exact at both ends: exp() is taken of what is not above 0.
double inverseLogit(const study::Transform& transform, double z)
{
    const double small = std::exp(-std::abs(z));
    const double nearer = (transform.high - transform.low) * small / (1.0 + small);
    return z < 0.0 ? transform.low + nearer : transform.high - nearer;
}

/// Half of the smallest distance from a bound among the values that are at none; 0 where there are no such
/// values, or none is at a bound.
double insetOf(const study::Bounds& bounds, const Eigen::VectorXd& y)
{
    double nearest = 0.0;
    bool isNeeded = false;
    for (const double value : y) {
        double distance = value - bounds.low;
        if (bounds.high)
            distance = std::min(distance, *bounds.high - value);
        isNeeded = isNeeded || distance == 0.0;
        if (distance > 0.0 && (nearest == 0.0 || distance < nearest))
            nearest = distance;
    }
    return isNeeded ? nearest / 2.0 : 0.0;
}

double power(double base, double exponent)
{
    return std::min(std::pow(base, exponent), kLargestValue);
}

/// What the transform asks of the values: "values above 0".
std::string describeDomain(const study::Transform& transform)
{
    if (transform.kind == TransformKind::Logit)
        return "values " + std::string(transform.inset > 0.0 ? "from " : "strictly between ") +
               study::toText(transform.low) + (transform.inset > 0.0 ? " to " : " and ") +
               study::toText(transform.high);
    if (isLogarithm(transform) && transform.inset > 0.0)
        return "values of 0 or above";
    return transform.kind == TransformKind::Sqrt ? "values of 0 or above" : "values above 0";
}

/// Coded settings nearer to each other than this are the same setting.
constexpr double kSameSetting = 1e-9;
/// Keys of the same setting are nearer than this: some hundred factors with weights up to 1.5.
constexpr double kSameKey = 1e-6;

study::CodedPoint codedSettings(const study::Coding& coding, const study::Run& run)
{
    study::CodedPoint point;
    try {
        point = coding.toCoded(run.settings);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("run " + std::to_string(run.id) + ": " + error.what());
    }
    if (!point.x.allFinite())
        throw std::invalid_argument("run " + std::to_string(run.id) +
                                    ": its settings have no finite coded value; low and high of every factor "
                                    "must differ and be positive on a log2 scale");
    return point;
}

bool isUsable(const study::Run& run, std::string_view response, Observations& data)
{
    const bool isJudge = run.kind == study::RunKind::Confirmation;
    if (isJudge && run.status == study::RunStatus::Done && run.results.contains(response))
        return false;
    if (run.status == study::RunStatus::Failed && !study::isCancelled(run))
        data.failed.push_back(run.id);
    if (run.status == study::RunStatus::Excluded)
        data.excluded.push_back(run.id);
    if (run.status != study::RunStatus::Done)
        return false;
    const auto result = run.results.find(response);
    if (result != run.results.end() && std::isfinite(result->second))
        return true;
    data.missing.push_back(run.id);
    return false;
}

bool isSameSetting(const Observations& data, std::size_t a, std::size_t b)
{
    return data.blocks[a] == data.blocks[b] &&
           (data.points[a].x - data.points[b].x).cwiseAbs().maxCoeff() <= kSameSetting;
}

/// Per run a number that is the same for the same setting and block, and nearly always another one otherwise.
std::vector<double> hashSettings(const Observations& data, std::size_t factors)
{
    std::vector<double> keys(data.points.size());
    for (std::size_t run = 0; run < keys.size(); ++run) {
        double weight = M_PI;
        keys[run] = weight * data.blocks[run];
        for (std::size_t i = 0; i < factors; ++i) {
            weight = std::fmod(weight * M_E, 1.0) + 0.5;
            keys[run] += weight * data.points[run][static_cast<Eigen::Index>(i)];
        }
    }
    return keys;
}

/// Numbers from 0, in the order in which the groups first appear.
std::vector<int> numbered(const std::vector<std::size_t>& firstOf)
{
    std::map<std::size_t, int> numbers;
    std::vector<int> groups;
    groups.reserve(firstOf.size());
    for (const std::size_t first : firstOf)
        groups.push_back(numbers.try_emplace(first, static_cast<int>(numbers.size())).first->second);
    return groups;
}

} // namespace

bool isLogarithm(const study::Transform& transform)
{
    return transform.kind == TransformKind::Log ||
           (transform.kind == TransformKind::BoxCox && std::abs(transform.lambda) < kZeroPower);
}

std::optional<double> applyTransform(const study::Transform& transform, double y)
{
    if (transform.kind == TransformKind::None)
        return y;
    if (transform.inset > 0.0)
        y = moveInsideBounds(transform, y);
    if (transform.kind == TransformKind::Logit)
        return logit(transform, y);
    if (transform.kind == TransformKind::Sqrt)
        return y >= 0 ? std::optional(std::sqrt(y)) : std::nullopt;
    if (!(y > 0.0))
        return std::nullopt;
    if (isLogarithm(transform))
        return std::log(y);
    if (transform.kind == TransformKind::Inverse)
        return 1 / y;
    return (std::pow(y, transform.lambda) - 1) / transform.lambda;
}

std::optional<double> limitOnModelScale(const study::Transform& transform, double y)
{
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    if (transform.kind == TransformKind::Logit && y >= transform.high)
        return kNoLimit;
    return transform.kind == TransformKind::Logit && y <= transform.low ? -kNoLimit
                                                                        : applyTransform(transform, y);
}

bool isInvertible(const study::Transform& transform, double z)
{
    if (isLogarithm(transform))
        return z < kLargestExponent;
    if (transform.kind == TransformKind::Inverse)
        return z > 1 / kLargestValue;
    if (transform.kind == TransformKind::BoxCox && transform.lambda < 0)
        return transform.lambda * z + 1 > 0;
    return true;
}

double invertTransform(const study::Transform& transform, double z)
{
    if (transform.kind == TransformKind::None)
        return z;
    if (!isInvertible(transform, z))
        return kLargestValue;
    if (transform.kind == TransformKind::Logit)
        return inverseLogit(transform, z);
    if (isLogarithm(transform))
        return std::exp(z);
    if (transform.kind == TransformKind::Sqrt)
        return z > 0 ? power(z, 2.0) : 0.0;
    if (transform.kind == TransformKind::Inverse)
        return 1 / z;
    const double base = transform.lambda * z + 1;
    return base > 0 ? power(base, 1 / transform.lambda) : 0.0;
}

double inverseSlope(const study::Transform& transform, double z)
{
    if (transform.kind == TransformKind::None)
        return 1.0;
    if (!isInvertible(transform, z))
        return 0.0;
    if (transform.kind == TransformKind::Logit) {
        const double small = std::exp(-std::abs(z));
        return (transform.high - transform.low) * small / std::pow(1.0 + small, 2.0);
    }
    if (isLogarithm(transform))
        return std::exp(z);
    if (transform.kind == TransformKind::Sqrt)
        return z > 0 ? 2 * z : 0.0;
    if (transform.kind == TransformKind::Inverse)
        return -1 / (z * z);
    const double base = transform.lambda * z + 1;
    return base > 0 ? power(base, 1 / transform.lambda - 1) : 0.0;
}

study::Transform transformFor(const study::Response& response, const std::optional<study::Transform>& asked,
                              const Eigen::VectorXd& y)
{
    study::Response wanted = response;
    wanted.transform = asked.value_or(response.transform);
    study::Transform transform = study::effectiveTransform(wanted);
    const std::string refusal = study::whyNotWithinBounds(response, transform);
    if (!refusal.empty())
        throw std::domain_error("No model: " + refusal + ".");
    if (response.bounds && (transform.kind == TransformKind::Logit || isLogarithm(transform)))
        transform.inset = insetOf(*response.bounds, y);
    return transform;
}

Observations collect(const study::Study& study, std::string_view response)
{
    const study::Coding coding(study.factors);
    Observations data;
    data.copies = findCopies(study, response);
    data.isOrderKnown = study::isRunOrderKnown(study);
    std::vector<double> values;
    for (const study::Run& run : study.runs) {
        if (!isUsable(run, response, data) || data.copies.isRepetition(run.id))
            continue;
        data.runs.push_back(run.id);
        data.blocks.push_back(run.block);
        data.orders.push_back(run.order);
        data.points.push_back(codedSettings(coding, run));
        data.isSimulated |= run.provenance.source == study::Source::Simulated;
        values.push_back(run.results.find(response)->second);
    }
    data.y = Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    data.z = data.y;
    return data;
}

void transformObservations(const study::Transform& transform, std::string_view response, Observations& data)
{
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        const std::optional<double> z = applyTransform(transform, data.y[i]);
        if (!z || !std::isfinite(*z))
            throw std::domain_error("Run " + std::to_string(data.runs[static_cast<std::size_t>(i)]) +
                                    " has " + std::string(response) + " = " + study::toText(data.y[i]) +
                                    ", but the transform " + study::nameOf(transform) + " needs " +
                                    describeDomain(transform) + ".");
        data.z[i] = *z;
    }
}

std::vector<int> replicateGroups(const Observations& data, const std::vector<study::Factor>& factors)
{
    const std::vector<double> keys = hashSettings(data, factors.size());
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return keys[i]; });

    std::vector<std::size_t> firstOf(keys.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        firstOf[order[k]] = order[k];
        for (std::size_t earlier = k; earlier-- > 0 && keys[order[k]] - keys[order[earlier]] <= kSameKey;) {
            if (factors.empty() ? data.blocks[order[k]] == data.blocks[order[earlier]]
                                : isSameSetting(data, order[k], order[earlier])) {
                firstOf[order[k]] = firstOf[order[earlier]];
                break;
            }
        }
    }
    return numbered(firstOf);
}

std::vector<std::pair<double, double>> codedRanges(const Observations& data, std::size_t factors)
{
    std::vector<std::pair<double, double>> reach;
    for (std::size_t i = 0; i < factors; ++i) {
        const auto coded = [i](const study::CodedPoint& point) {
            return point[static_cast<Eigen::Index>(i)];
        };
        const auto [low, high] = std::ranges::minmax(data.points, {}, coded);
        reach.emplace_back(coded(low), coded(high));
    }
    return reach;
}

std::vector<std::vector<bool>> seenLevels(const Observations& data, const std::vector<study::Factor>& factors)
{
    std::vector<std::vector<bool>> seen(factors.size());
    for (std::size_t i = 0; i < factors.size(); ++i) {
        seen[i].assign(factors[i].isNumeric() ? 0 : factors[i].categories.size(), false);
        for (const study::CodedPoint& point : data.points) {
            if (!factors[i].isNumeric())
                seen[i].at(static_cast<std::size_t>(std::lround(point[static_cast<Eigen::Index>(i)]))) = true;
        }
    }
    return seen;
}

bool isSeen(const std::vector<bool>& seenLevels, double coded)
{
    const auto level = static_cast<std::size_t>(std::max(coded + 0.5, 0.0));
    return level < seenLevels.size() && seenLevels[level];
}

} // namespace quadric::model
