// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/goals.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

std::string reasonOf(const model::Fit* fit)
{
    if (!fit)
        return "no model";
    return fit->isOk() ? "its model was made with other factors" : fit->message;
}

} // namespace

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

double scaleOf(const model::Fit& fit)
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

} // namespace quadric::optimize
