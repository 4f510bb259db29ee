// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost.h"

#include "core/model/base/distributions.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace quadric::plan {

namespace {

/// Fibonacci numbers that follow one another: the points of the lattice (i/n, i g/n mod 1) are spread so
/// evenly that 4181 of them err less than 10,000 random ones (Niederreiter 1992, ch. 5).
constexpr std::size_t kPairs = 4181, kGenerator = 2584;

/// Standard normal values in the middle of equal probabilities.
std::vector<double> normalValues()
{
    std::vector<double> values;
    for (std::size_t i = 0; i < kPairs; ++i)
        values.push_back(model::normalQuantile((static_cast<double>(i) + 0.5) / kPairs));
    return values;
}

/// t values of the same rank as standard normal ones, interpolated between some of them, for a quantile of t
/// takes far longer than a probability.
class StudentOfNormal {
public:
    explicit StudentOfNormal(double df)
    {
        for (double x = 0.0; m_normal.empty() || m_normal.back() < kLargest; x += kStep) {
            m_t.push_back(std::sinh(x));
            m_normal.push_back(-model::normalQuantile(model::tProbability(m_t.back(), df) / 2.0));
        }
    }

    double operator()(double normal) const
    {
        const double size = std::min(std::abs(normal), kLargest);
        const auto above = std::max(std::ranges::lower_bound(m_normal, size), m_normal.begin() + 1);
        const auto i = static_cast<std::size_t>(above - m_normal.begin());
        const double share = (size - m_normal[i - 1]) / (m_normal[i] - m_normal[i - 1]);
        return std::copysign(std::lerp(m_t[i - 1], m_t[i], share), normal);
    }

private:
    static constexpr double kLargest = 6.0; ///< no pair is beyond it
    static constexpr double kStep = 0.05;
    std::vector<double> m_normal, m_t;
};

constexpr double kSecondsAnHour = 3600.0;
constexpr double kJoulesAKilowattHour = 3.6e6;

double moneyOf(double seconds, double kilowattHours, int gpus, const Prices& prices)
{
    return prices.fixed + seconds / kSecondsAnHour * gpus * prices.gpuHour +
           kilowattHours * prices.kilowattHour;
}

Estimate scaled(const Estimate& estimate, double factor)
{
    return {estimate.value * factor, estimate.low * factor, estimate.high * factor};
}

/// Of type 7, as computeQuantile(), without sorting all of them.
double selectQuantile(std::vector<double>& values, double share)
{
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), below, values.end());
    const double low = *below;
    const auto above = std::min_element(below + 1, values.end());
    return above == values.end() ? low : std::lerp(low, *above, place - std::floor(place));
}

Estimate jointMoney(const RunTime& time, const Resources& resources, const Prices& prices)
{
    constexpr double kTail = 0.025;
    std::vector<double> money;
    for (const auto& [slow, hungry] : resources.errors->pairs())
        money.push_back(moneyOf(time.secondsAt(slow),
                                resources.joules->secondsAt(hungry) / kJoulesAKilowattHour, resources.gpus,
                                prices));
    return {selectQuantile(money, 0.5), selectQuantile(money, kTail), selectQuantile(money, 1.0 - kTail)};
}

constexpr std::size_t kMostAlong = 25; ///< points of the curve

const model::Fit* okFit(const std::vector<model::Fit>& fits, const std::string& response)
{
    const auto fit = std::ranges::find(fits, response, &model::Fit::response);
    return fit == fits.end() || !fit->isOk() || fit->dfResidual == 0 ? nullptr : &*fit;
}

bool hasNoPrice(const PlanChoices& choices)
{
    return choices.gpuHour <= 0.0 && choices.kilowattHour <= 0.0 && choices.fixedCost <= 0.0;
}

/// Without a price costs are GPU hours.
Prices pricesOf(const PlanChoices& choices)
{
    return hasNoPrice(choices) ? Prices{.gpuHour = 1.0}
                               : Prices{choices.gpuHour, choices.kilowattHour, choices.fixedCost};
}

/// Evenly over the range, on the scale of the factor, legal ones only.
std::vector<double> valuesAlong(const model::Fit& fit, std::size_t factor)
{
    const study::Coding coding(fit.factors);
    const study::Factor& own = fit.factors[factor];
    std::vector<double> values = study::legalValues(own, own.low, own.high, kMostAlong);
    if (!values.empty())
        return values;
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
        , m_work(chosenWork(fit, choices))
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

JointErrors::JointErrors(double firstDf, double secondDf, double correlation)
    : m_firstDf(firstDf)
    , m_secondDf(secondDf)
{
    const std::vector<double> normal = normalValues();
    const StudentOfNormal first(firstDf), second(secondDf);
    const double rest = std::sqrt(std::max(0.0, 1.0 - correlation * correlation));
    m_pairs.reserve(kPairs);
    for (std::size_t i = 0; i < kPairs; ++i)
        m_pairs.emplace_back(first(normal[i]),
                             second(correlation * normal[i] + rest * normal[i * kGenerator % kPairs]));
}

RunCost costOf(const RunTime& time, const Resources& resources, const Prices& prices)
{
    RunCost cost;
    cost.seconds = time.interval();
    if (resources.joules) {
        cost.kilowattHours = scaled(resources.joules->interval(), 1.0 / kJoulesAKilowattHour);
        cost.money = jointMoney(time, resources, prices);
        return cost;
    }
    const double watts = resources.wattsPerGpu * resources.gpus;
    cost.kilowattHours = scaled(cost.seconds, watts / kJoulesAKilowattHour);
    const auto money = [&](double seconds) {
        return moneyOf(seconds, watts * seconds / kJoulesAKilowattHour, resources.gpus, prices);
    };
    cost.money = {money(cost.seconds.value), money(cost.seconds.low), money(cost.seconds.high)};
    return cost;
}

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
    plan.isInGpuHours = hasNoPrice(choices);
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
            plan.along.push_back({value, costing.at(moved)});
    }
    return plan;
}

} // namespace quadric::plan
