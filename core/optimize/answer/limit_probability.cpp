// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/limit_probability.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/observations.h"
#include "core/model/predict/predict.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/answer/optimism.h"
#include "core/optimize/search/local_search.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::optimize {

namespace {

constexpr const char* kOptimizePage = "optimize";
constexpr const char* kVaries = "varies";

/// Of low, where a setting on the log2 scale would fall to 0 or below.
constexpr double kLeastShare = 1e-3;

bool isVariationRow(const std::vector<std::string>& row, std::string_view factor)
{
    return row.size() == 3 && row[0] == kVaries && row[1] == factor;
}

double actualAt(const study::Factor& factor, double nominal, double shift)
{
    const double actual = nominal + shift;
    return factor.scale == study::Scale::Log2 ? std::max(actual, kLeastShare * factor.low) : actual;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Size of a residual correlation above which two responses are nearly one measurement.
constexpr double kDependent = 0.9;

/// A limit on the scale of the model; `outside` where every value (or none) keeps it.
double transformedLimit(const model::Fit& fit, double limit, double outside)
{
    const std::optional<double> z = model::limitOnModelScale(fit.transform, limit);
    const bool isLogit = fit.transform.kind == study::TransformKind::Logit;
    return z && (isLogit || std::isfinite(*z)) ? *z : outside;
}

/// 1/y falls: limits change places, and a lower limit that every positive value keeps has no bound.
model::Interval limitsOnModelScale(const model::Fit& fit, const SetLimits& limits)
{
    if (fit.transform.kind == study::TransformKind::Inverse)
        return {limits.high ? transformedLimit(fit, *limits.high, kInfinity) : 0.0,
                limits.low ? transformedLimit(fit, *limits.low, kInfinity) : kInfinity};
    return {limits.low ? transformedLimit(fit, *limits.low, -kInfinity) : -kInfinity,
            limits.high ? transformedLimit(fit, *limits.high, -kInfinity) : kInfinity};
}

constexpr const char* kNoLimits = "No limit is set. Set those that a run has to keep.";

std::string independenceAssumed(const study::Study& study, const std::vector<model::Fit>& fits)
{
    const std::vector<DependentResponses> dependent = findDependentResponses(study, fits);
    if (dependent.empty())
        return "Errors of different responses are taken as independent.";
    return "Errors of different responses are taken as independent, but the residuals of " +
           dependent.front().first + " and " + dependent.front().second + " have a correlation of " +
           text::formatDecimals(dependent.front().correlation, 2, text::Typography::Typeset) +
           ": quadric optimize --correlated takes it into account.";
}

double meanOver(const std::vector<study::CodedPoint>& points, const auto& probability)
{
    double sum = 0.0;
    for (const study::CodedPoint& point : points)
        sum += probability(point);
    return sum / static_cast<double>(points.size());
}

/// "learning_rate 0.02, bucket_mb 1 MB": what varies, for a sentence.
std::string describeVariation(const study::Study& study, const Variation& sds)
{
    std::string words;
    for (const study::Factor& factor : study.factors) {
        const auto found = sds.find(factor.name);
        if (found == sds.end())
            continue;
        words += (words.empty() ? "" : ", ") + factor.name + " " + study::toText(found->second);
        words += factor.unit.empty() ? "" : " " + factor.unit;
    }
    return words;
}

} // namespace

VaryingSettings::VaryingSettings(const study::Study& study, const Variation& sds)
    : m_coding(study.factors)
    , m_varying(findVarying(m_coding, sds))
{
}

std::vector<study::CodedPoint> VaryingSettings::around(const study::CodedPoint& nominal, int points) const
{
    if (isNone())
        return {nominal};
    std::vector<study::CodedPoint> cloud(static_cast<std::size_t>(points), nominal);
    for (std::size_t j = 0; j < m_varying.size(); ++j) {
        const auto& [factor, sd] = m_varying[j];
        const auto axis = static_cast<Eigen::Index>(factor);
        const double actual = m_coding.toActual(factor, nominal[axis]);
        for (int i = 0; i < points; ++i) {
            const double exact = (i + 0.5) * (j == 0 ? 1.0 / points : kroneckerStep(j - 1));
            const double share = std::clamp(exact - std::floor(exact), 0.5 / points, 1.0 - 0.5 / points);
            cloud[static_cast<std::size_t>(i)][axis] = m_coding.toCoded(
                factor, actualAt(m_coding.factors()[factor], actual, sd * model::normalQuantile(share)));
        }
    }
    return cloud;
}

Variation readVariation(const study::Study& study)
{
    Variation sds;
    const auto page = study.view.find(kOptimizePage);
    if (page == study.view.end())
        return sds;
    for (const study::Factor& factor : study.factors) {
        const auto row = std::ranges::find_if(
            page->second.views, [&factor](const auto& each) { return isVariationRow(each, factor.name); });
        const auto sd = row == page->second.views.end() ? std::nullopt : text::readNumber(row->back(), '.');
        if (factor.isNumeric() && sd && *sd > 0.0)
            sds[factor.name] = *sd;
    }
    return sds;
}

study::Study withVariation(study::Study study, const std::string& factor, double sd)
{
    study::PageView& page = study.view[kOptimizePage];
    std::erase_if(page.views, [&factor](const auto& row) { return isVariationRow(row, factor); });
    if (sd > 0.0)
        page.views.push_back({kVaries, factor, study::toText(sd)});
    if (page == study::PageView{})
        study.view.erase(kOptimizePage);
    return study;
}

double residualCorrelation(const model::Fit& a, const model::Fit& b)
{
    double ab = 0.0;
    double aa = 0.0;
    double bb = 0.0;
    int common = 0;
    for (const model::Diagnostic& row : a.diagnostics) {
        const auto other = std::ranges::find(b.diagnostics, row.run, &model::Diagnostic::run);
        if (other == b.diagnostics.end())
            continue;
        ++common;
        ab += row.residual * other->residual;
        aa += row.residual * row.residual;
        bb += other->residual * other->residual;
    }
    return common < 3 || !(aa > 0.0) || !(bb > 0.0) ? 0.0 : std::clamp(ab / std::sqrt(aa * bb), -1.0, 1.0);
}

Eigen::MatrixXd residualCorrelations(const std::vector<const model::Fit*>& fits)
{
    const auto size = std::ssize(fits);
    Eigen::MatrixXd correlations = Eigen::MatrixXd::Identity(size, size);
    for (Eigen::Index a = 0; a < size; ++a)
        for (Eigen::Index b = 0; b < a; ++b)
            correlations(a, b) = correlations(b, a) =
                residualCorrelation(*fits[static_cast<std::size_t>(a)], *fits[static_cast<std::size_t>(b)]);
    return correlations;
}

ErrorModel::ErrorModel(const Goals& goals, bool isCorrelated, const std::map<std::string, double>& shifts)
    : m_goals(goals)
{
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const SetLimits limits = setLimitsOf(goals.desirabilities[i]);
        if (limits.isEmpty())
            continue;
        const model::Fit& fit = *goals.fits[i];
        if (fit.dfResidual == 0)
            m_unknown += (m_unknown.empty() ? "" : ", ") + fit.response;
        m_limits.push_back(limitsOnModelScale(fit, limits));
        m_members.push_back(i);
        const auto shift = shifts.find(fit.response);
        m_shifts.push_back(shift == shifts.end() ? 0.0 : shift->second);
    }
    std::vector<const model::Fit*> fits;
    for (const std::size_t member : m_members)
        fits.push_back(goals.fits[member]);
    const auto size = std::ssize(m_members);
    m_correlation = isCorrelated ? residualCorrelations(fits) : Eigen::MatrixXd::Identity(size, size);
}

model::Interval ErrorModel::ranks(std::size_t member, const study::CodedPoint& point) const
{
    const model::Fit& fit = *m_goals.fits[m_members[member]];
    model::NewRun run = model::predictNewRun(fit, point);
    run.location -= m_shifts[member];
    return {run.probabilityBelow(m_limits[member].low), run.probabilityBelow(m_limits[member].high)};
}

double ErrorModel::probability(const study::CodedPoint& point, int samples, std::uint64_t seed) const
{
    const auto size = static_cast<Eigen::Index>(m_members.size());
    const bool isIndependent = m_correlation.isIdentity(0.0);
    double product = 1.0;
    Eigen::VectorXd low(size);
    Eigen::VectorXd high(size);
    for (Eigen::Index i = 0; i < size; ++i) {
        const model::Interval between = ranks(static_cast<std::size_t>(i), point);
        product *= std::max(0.0, between.high - between.low);
        if (isIndependent)
            continue;
        low[i] = model::normalQuantile(between.low);
        high[i] = model::normalQuantile(between.high);
    }
    return isIndependent ? product : normalBoxProbability(low, high, m_correlation, samples, seed);
}

std::vector<DependentResponses> findDependentResponses(const study::Study& study,
                                                       const std::vector<model::Fit>& fits)
{
    const auto hasGoal = [&](const model::Fit& fit) {
        const study::Response* response = study::findResponse(study, fit.response);
        return fit.isOk() && response != nullptr && takesPart(*response);
    };
    std::vector<DependentResponses> found;
    for (std::size_t i = 0; i < fits.size(); ++i) {
        for (std::size_t j = i + 1; j < fits.size() && hasGoal(fits[i]); ++j) {
            const double r = hasGoal(fits[j]) ? residualCorrelation(fits[i], fits[j]) : 0.0;
            if (std::abs(r) > kDependent)
                found.push_back({fits[i].response, fits[j].response, r});
        }
    }
    return found;
}

AllLimits limitProbabilities(const study::Study& study, const std::vector<model::Fit>& fits,
                             const study::Settings& settings, const ProbabilityOptions& options)
{
    AllLimits result;
    const Goals goals = goalsOf(study, fits);
    const ErrorModel errors(goals, options.isCorrelated, options.shifts);
    if (errors.count() == 0) {
        result.assumption = kNoLimits;
        return result;
    }
    if (!errors.unknown().empty()) {
        result.assumption =
            "The model leaves no degrees of freedom to estimate the error of " + errors.unknown() + ".";
        return result;
    }
    const std::vector<study::CodedPoint> points =
        VaryingSettings(study, options.varying)
            .around(study::Coding(study.factors).toCoded(settings), options.settingPoints);
    for (std::size_t i = 0; i < errors.count(); ++i) {
        const Desirability& d = goals.desirabilities[errors.member(i)];
        const SetLimits set = setLimitsOf(d);
        LimitProbability row{.response = d.response, .low = set.low, .high = set.high};
        row.probability = meanOver(points, [&](const study::CodedPoint& point) {
            const model::Interval between = errors.ranks(i, point);
            return std::max(0.0, between.high - between.low);
        });
        result.responses.push_back(std::move(row));
    }
    result.probability = meanOver(points, [&](const study::CodedPoint& point) {
        return errors.probability(point, options.samples, options.seed);
    });
    result.assumption = options.isCorrelated
                            ? "Errors of the responses are correlated as the residuals of their models are."
                            : independenceAssumed(study, fits);
    if (const std::string varying = describeVariation(study, options.varying); !varying.empty())
        result.assumption += " Settings vary by a standard deviation of " + varying + ".";
    return result;
}

namespace {

constexpr std::size_t kPoints = 400;
constexpr std::size_t kClimbs = 6;
constexpr int kSettingPoints = 24; ///< of settings that vary, while it is searched

/// Far away from all limits the logarithm of a probability of 0 goes on like this, so that climbs find in.
constexpr double kSmallestProbability = 1e-300;

/// Starts: points spread over the region and the best settings by desirability.
std::vector<Eigen::VectorXd> startsOf(const SearchSpace& space, const Optimum& best,
                                      const OptimizeOptions& options)
{
    std::vector<Eigen::VectorXd> starts = legalSample(space, kPoints, options.seed);
    for (const Solution& solution : best.solutions) {
        const std::optional<Eigen::VectorXd> x = space.pointAt(solution.settings);
        if (x && space.isLegal(*x))
            starts.push_back(*x);
    }
    return starts;
}

/// The probability that all limits hold with predictions as they are after correction.
std::optional<double> findCorrected(const study::Study& study, const std::vector<model::Fit>& fits,
                                    const Optimum& best, const study::Settings& settings,
                                    const OptimizeOptions& options, ProbabilityOptions probability)
{
    const OptimumCorrection correction = correctOptimum(study, fits, best, options);
    for (const CorrectedPrediction& row : correction.responses)
        probability.shifts[row.response] = row.shift;
    return correction.responses.empty() ? std::nullopt
                                        : limitProbabilities(study, fits, settings, probability).probability;
}

RobustOptimum search(const study::Study& study, const std::vector<model::Fit>& fits, const Goals& goals,
                     const OptimizeOptions& options, const ProbabilityOptions& probability)
{
    RobustOptimum result;
    const SearchSpace space(study, fits, options);
    const ErrorModel errors(goals, probability.isCorrelated);
    const VaryingSettings varying(study, probability.varying);
    const auto logarithm = [&](const Eigen::VectorXd& x) {
        const auto points = varying.around(study::CodedPoint(x), kSettingPoints);
        double p = 0.0;
        for (const study::CodedPoint& point : points)
            p += errors.probability(point, probability.samples, probability.seed);
        return std::log(std::max(p / static_cast<double>(points.size()), kSmallestProbability));
    };
    const Optimum best = findOptimum(study, fits, options);
    const std::vector<Eigen::VectorXd> starts = startsOf(space, best, options);
    const Candidate found = PatternSearch(space, logarithm, options.stop).best(starts, kClimbs);
    if (found.merit == kNoMerit) {
        result.status =
            options.stop.stop_requested() ? OptimumStatus::Stopped : OptimumStatus::NoLegalSetting;
        result.message = options.stop.stop_requested()
                             ? "Stopped."
                             : "No setting in the region satisfies the constraints.";
        return result;
    }
    result.status = options.stop.stop_requested() ? OptimumStatus::Stopped : OptimumStatus::Ok;
    result.settings = space.settingsAt(found.x);
    result.limits = limitProbabilities(study, fits, result.settings, probability);
    result.corrected = findCorrected(study, fits, best, result.settings, options, probability);
    std::map<std::string, double> ownBests;
    for (const ResponseAtOptimum& row : best.responses)
        ownBests[row.response] = row.bestAlone;
    result.assessment = assess(study, fits, result.settings, ownBests);
    return result;
}

} // namespace

RobustOptimum findRobust(const study::Study& study, const std::vector<model::Fit>& fits,
                         const OptimizeOptions& options, const ProbabilityOptions& probability)
{
    RobustOptimum result;
    const Goals goals = goalsOf(study, fits);
    const ErrorModel errors(goals, false);
    if (errors.count() == 0 || !errors.unknown().empty()) {
        result.message =
            errors.count() == 0
                ? kNoLimits
                : "The model leaves no degrees of freedom to estimate the error of " + errors.unknown() + ".";
        return result;
    }
    try {
        return search(study, fits, goals, holdAliased(study, goals, options), probability);
    } catch (const std::invalid_argument& error) {
        result.status = OptimumStatus::NoLegalSetting;
        result.message = error.what();
        return result;
    }
}

} // namespace quadric::optimize
