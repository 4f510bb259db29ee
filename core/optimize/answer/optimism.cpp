// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/optimism.h"

#include "core/model/base/distributions.h"
#include "core/model/feasibility/feasibility.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/predict.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/merit/desirability.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

/// Boxes that a replicate's search looks at, starts that it climbs from.
constexpr std::size_t kReplicateBoxes = 200;
constexpr std::size_t kReplicateStarts = 4;

/// Residual standard deviation of the model that results are simulated from. That of the chosen one, where it
/// is larger, has what was wrongly left out in it, which the simulated results have as terms.
double sigmaOf(const model::Fit& fit)
{
    return fit.data->chosenFrom ? fit.data->chosenFrom->sigma : fit.sigma;
}

/// The chain from results to the optimum, with results that are simulated from known models.
class Chain {
public:
    Chain(const study::Study& study, const std::vector<model::Fit>& fits, const Optimum& optimum,
          OptimizeOptions options)
        : m_study(study)
        , m_options(std::move(options))
        , m_normals(m_options.seed)
    {
        for (const model::Fit& fit : fits) {
            if (fit.isOk() && fit.data != nullptr && fit.dfResidual > 0) {
                m_fits.push_back(&fit);
                m_truths.emplace_back(fit);
                m_options.bestAlone[fit.response] = 0.0; // no search for what is not asked
            }
        }
        m_root = model::rootOfCovariance(residualCorrelations(m_fits));
        m_options.hints = {optimum.settings};
        m_options.feasibility = model::feasibilityOf(study);
        m_options.starts = kReplicateStarts;
        m_options.boxes = kReplicateBoxes;
        m_options.solutions = 1;
        m_options.hasAlternatives = false;
    }

    const std::vector<const model::Fit*>& fits() const { return m_fits; }

    /// By how much each prediction at the optimum of new results exceeds the truth there, on the scale of the
    /// model. Empty where the new results have no optimum.
    std::optional<Eigen::VectorXd> drawExcess()
    {
        simulate();
        std::vector<model::Fit> fits;
        for (const model::Fit* fit : m_fits) {
            model::FitOptions options = fit->data->options;
            options.transform = fit->transform;
            fits.push_back(model::fitResponse(m_study, fit->response, options));
            if (!fits.back().isOk())
                return std::nullopt;
        }
        findOwnBests(m_study, fits);
        const Optimum optimum = findOptimum(m_study, fits, m_options);
        if (optimum.settings.empty())
            return std::nullopt;
        const study::CodedPoint point = study::Coding(m_study.factors).toCoded(optimum.settings);
        Eigen::VectorXd excess(std::ssize(m_fits));
        for (std::size_t i = 0; i < fits.size(); ++i)
            excess[static_cast<Eigen::Index>(i)] =
                model::predictOnModelScale(fits[i], point) - truthAt(i, point);
        return excess;
    }

private:
    double truthAt(std::size_t i, const study::CodedPoint& point) const
    {
        return m_truths[i].rowAt(point).dot(m_truths[i].beta());
    }

    void simulate()
    {
        const study::Coding coding(m_study.factors);
        for (study::Run& run : m_study.runs) {
            if (run.status != study::RunStatus::Done)
                continue;
            const study::CodedPoint point = coding.toCoded(run.settings);
            const Eigen::VectorXd errors = m_root * m_normals.vector(m_root.cols());
            for (std::size_t i = 0; i < m_fits.size(); ++i) {
                const auto result = run.results.find(m_fits[i]->response);
                if (result == run.results.end() || !std::isfinite(result->second))
                    continue;
                const double z =
                    truthAt(i, point) + sigmaOf(*m_fits[i]) * errors[static_cast<Eigen::Index>(i)];
                result->second = model::toResponseUnit(*m_fits[i], z);
            }
        }
    }

    study::Study m_study; ///< with simulated results
    OptimizeOptions m_options;
    model::NormalDraws m_normals;
    std::vector<const model::Fit*> m_fits;
    std::vector<model::PredictionError> m_truths;
    Eigen::MatrixXd m_root;
};

/// Ends at z ± half in the response's own unit.
model::Interval intervalAround(const model::Fit& fit, double z, double half)
{
    const double a = model::toResponseUnit(fit, z - half);
    const double b = model::toResponseUnit(fit, z + half);
    return {std::min(a, b), std::max(a, b)};
}

/// `excess` of all replicates.
CorrectedPrediction correct(const model::Fit& fit, const study::CodedPoint& point,
                            const Eigen::VectorXd& excess)
{
    CorrectedPrediction row;
    row.response = fit.response;
    row.shift = excess.mean();
    const double predicted = model::predictOnModelScale(fit, point);
    const double z = predicted - row.shift;
    row.mean = model::toResponseUnit(fit, z);
    row.optimism = model::toResponseUnit(fit, predicted) - row.mean;
    const model::PredictionError error(fit);
    const double t = model::tLimit(1.0 - fit.confidence, error.df());
    const double own = error.sigma() * error.sigma();
    const double spread = (excess.array() - row.shift).square().mean();
    const double variance = std::max(own * error.varianceFactorAt(point), spread);
    row.confidence = intervalAround(fit, z, t * std::sqrt(variance));
    row.prediction = intervalAround(fit, z, t * std::sqrt(own + variance));
    return row;
}

} // namespace

OptimumCorrection correctOptimum(const study::Study& study, const std::vector<model::Fit>& fits,
                                 const Optimum& optimum, const OptimizeOptions& options, int replicates)
{
    OptimumCorrection result;
    const Goals goals = goalsOf(study, fits);
    if (optimum.settings.empty() || goals.count() == 0)
        return result;
    Chain chain(study, fits, optimum, options);
    const auto responses = std::ssize(chain.fits());
    Eigen::MatrixXd excess(replicates, responses);
    for (int i = 0; i < replicates && responses > 0 && !options.stop.stop_requested(); ++i) {
        if (const std::optional<Eigen::VectorXd> drawn = chain.drawExcess())
            excess.row(result.replicates++) = drawn->transpose();
    }
    if (options.stop.stop_requested() || 2 * result.replicates < replicates)
        return {};
    const study::CodedPoint point = study::Coding(study.factors).toCoded(optimum.settings);
    for (Eigen::Index i = 0; i < responses; ++i)
        result.responses.push_back(correct(*chain.fits()[static_cast<std::size_t>(i)], point,
                                           excess.col(i).head(result.replicates)));
    return result;
}

} // namespace quadric::optimize
