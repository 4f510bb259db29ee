// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost_plan.h"

#include "core/optimize/answer/residual_correlation.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

constexpr std::size_t kMostAlong = 25; ///< points of the curve
constexpr std::size_t kMostLegal = 100'000;

const model::Fit* okFit(const std::vector<model::Fit>& fits, const std::string& response)
{
    const auto fit = std::ranges::find(fits, response, &model::Fit::response);
    return fit == fits.end() || !fit->isOk() || fit->dfResidual == 0 ? nullptr : &*fit;
}

Prices pricesOf(const PlanChoices& choices)
{
    const Prices prices{choices.gpuHour, choices.kilowattHour, choices.fixedCost};
    const bool hasNone = prices.gpuHour <= 0.0 && prices.kilowattHour <= 0.0 && prices.fixed <= 0.0;
    return hasNone ? Prices{.gpuHour = 1.0} : prices;
}

/// Evenly over the range, on the scale of the factor, legal ones only.
std::vector<double> valuesAlong(const model::Fit& fit, std::size_t factor)
{
    const study::Coding coding(fit.factors);
    const study::Factor& own = fit.factors[factor];
    const std::vector<double> legal = study::legalValues(own, own.low, own.high, kMostLegal);
    if (!legal.empty() && legal.size() <= kMostAlong)
        return legal;
    std::vector<double> values;
    for (std::size_t i = 0; i < kMostAlong; ++i)
        values.push_back(study::snapToLegal(
            own, coding.toActual(factor, -1.0 + 2.0 * static_cast<double>(i) / (kMostAlong - 1))));
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

/// What is asked, at any settings.
class Costing {
public:
    Costing(const study::Study& study, const std::vector<model::Fit>& fits, const model::Fit& fit,
            const PlanChoices& choices)
        : m_study(study)
        , m_fit(fit)
        , m_energy(okFit(fits, choices.energy))
        , m_choices(choices)
        , m_coding(fit.factors)
        , m_work(workOf(fit, choices))
        , m_prices(pricesOf(choices))
        , m_correlation(m_energy ? optimize::residualCorrelation(fit, *m_energy) : 0.0)
    {
    }

    RunCost at(const study::Settings& settings)
    {
        const study::CodedPoint point = m_coding.toCoded(settings);
        const RunTime time(m_fit, m_work, point);
        Resources resources{.gpus = gpusAt(m_study, m_choices, settings), .wattsPerGpu = m_choices.watts};
        if (m_energy == nullptr)
            return costOf(time, resources, m_prices);
        const RunTime joules(*m_energy, {WorkKind::PerUnit, m_work.amount, 0.0, 1.0}, point);
        if (!m_errors || !m_errors->isFor(time.df(), joules.df()))
            m_errors.emplace(time.df(), joules.df(), m_correlation);
        resources.joules = &joules;
        resources.errors = &*m_errors;
        return costOf(time, resources, m_prices);
    }

private:
    const study::Study& m_study;
    const model::Fit& m_fit;
    const model::Fit* m_energy;
    const PlanChoices& m_choices;
    study::Coding m_coding;
    Work m_work;
    Prices m_prices;
    double m_correlation;
    std::optional<JointErrors> m_errors; ///< of time and energy at the last settings
};

std::optional<std::size_t> factorAlong(const study::Study& study, const PlanChoices& choices)
{
    if (const auto count = countFactorOf(study, choices))
        return count;
    const auto numeric = std::ranges::find_if(study.factors, &study::Factor::isNumeric);
    return numeric == study.factors.end() ? std::nullopt
                                          : std::optional<std::size_t>(numeric - study.factors.begin());
}

} // namespace

int gpusAt(const study::Study& study, const PlanChoices& choices, const study::Settings& settings)
{
    const auto factor = countFactorOf(study, choices);
    if (!factor)
        return 1;
    const auto value = settings.find(study.factors[*factor].name);
    return value == settings.end()
               ? 1
               : std::max(1, static_cast<int>(std::lround(study::numberOf(value->second))));
}

CostPlan planCost(const study::Study& study, const std::vector<model::Fit>& fits, const model::Fit& fit,
                  const study::Settings& settings, const PlanChoices& choices)
{
    Costing costing(study, fits, fit, choices);
    CostPlan plan;
    plan.isInGpuHours = choices.gpuHour <= 0.0 && choices.kilowattHour <= 0.0 && choices.fixedCost <= 0.0;
    plan.isExtrapolation = model::predict(fit, study::Coding(fit.factors).toCoded(settings)).isExtrapolation;
    plan.gpus = gpusAt(study, choices, settings);
    plan.here = costing.at(settings);
    const auto factor = factorAlong(study, choices);
    if (!factor)
        return plan;
    plan.factor = study.factors[*factor].name;
    study::Settings moved = settings;
    for (const double value : valuesAlong(fit, *factor)) {
        moved.insert_or_assign(plan.factor, value);
        if (study::isLegal(study, moved))
            plan.along.push_back({value, gpusAt(study, choices, moved), costing.at(moved)});
    }
    return plan;
}

std::optional<LimitedBest> findLeast(const study::Study& study, const std::vector<model::Fit>& fits,
                                     const model::Fit& fit, const PlanChoices& choices, std::stop_token stop)
{
    const model::Fit* wanted = okFit(fits, choices.least);
    if (wanted == nullptr || wanted->response == fit.response)
        return std::nullopt;
    study::Study asked = study;
    for (study::Response& response : asked.responses)
        if (response.name == fit.response)
            response.goal = isRateUnit(fit.unit) ? study::Goal::Maximize : study::Goal::Minimize;
        else if (response.name == choices.least && response.goal == study::Goal::None)
            response.goal = study::Goal::Minimize;
    optimize::OptimizeOptions options;
    options.hasAlternatives = false;
    options.stop = stop;
    return findLimitedBest(asked, {fit, *wanted}, fit.response, choices.slower, choices.least, options);
}

} // namespace quadric::plan
