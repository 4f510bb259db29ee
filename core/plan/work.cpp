// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/work.h"

#include "core/plan/job_records.h"

#include <cmath>

namespace quadric::plan {

namespace {

constexpr double kUsualSeconds = 3600.0;

double inOneDigit(double value)
{
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    return std::round(value / power) * power;
}

} // namespace

double secondsOf(const Work& work, double value)
{
    switch (work.kind) {
    case WorkKind::Whole:
        return work.fixedSeconds + work.unitSeconds * value;
    case WorkKind::PerUnit:
        return work.fixedSeconds + work.unitSeconds * work.amount * value;
    case WorkKind::Speed:
        break;
    }
    return work.fixedSeconds + work.unitSeconds * work.amount / value;
}

bool isRateUnit(std::string_view unit)
{
    return unit.find('/') != unit.npos;
}

std::optional<double> unitSecondsOf(std::string_view unit)
{
    const std::size_t slash = unit.find('/');
    const std::string_view time = slash == unit.npos ? unit : unit.substr(slash + 1);
    return time.empty() ? std::nullopt : secondsPer(time);
}

bool tellsTime(const model::Fit& fit)
{
    return fit.isOk() && fit.dfResidual > 0 && unitSecondsOf(fit.unit).has_value();
}

Work usualWork(const model::Fit& fit)
{
    Work work;
    work.unitSeconds = unitSecondsOf(fit.unit).value_or(1.0);
    if (!isRateUnit(fit.unit))
        return work;
    work.kind = WorkKind::Speed;
    if (fit.largestObserved > 0.0)
        work.amount = inOneDigit(fit.largestObserved * kUsualSeconds / work.unitSeconds);
    return work;
}

} // namespace quadric::plan
