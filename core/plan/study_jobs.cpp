// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/study_jobs.h"

#include "core/plan/job_records.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr int kStepsAlong = 9;

double requirePositive(const model::Fit& fit, double value)
{
    if (!(value > 0.0))
        throw std::invalid_argument("the model of " + fit.response +
                                    " predicts a time that is not above 0; a model of its logarithm cannot");
    return value;
}

} // namespace

double requireTimeUnit(std::string_view response, std::string_view unit)
{
    const auto seconds = secondsPer(unit);
    if (!seconds)
        throw std::invalid_argument(std::string(response) + " is in " + std::string(unit) +
                                    ", expected a unit of time (s, ms, min, h)");
    return *seconds;
}

std::vector<double> observedJobs(const study::Study& study, std::string_view response)
{
    const study::Response* asked = study::findResponse(study, response);
    const double unit = asked ? requireTimeUnit(response, asked->unit) : 1.0;
    std::vector<double> jobs;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done)
            continue;
        const auto result = run.results.find(response);
        if (asked && result != run.results.end())
            jobs.push_back(unit * result->second);
        else if (!asked && run.provenance.seconds)
            jobs.push_back(*run.provenance.seconds);
    }
    if (jobs.empty())
        throw std::invalid_argument(
            "no run that is done tells how long it took; expected a response that is a time");
    return jobs;
}

std::vector<double> modeledJobs(const model::Fit& fit, const study::Study& study,
                                const study::Settings& instead)
{
    const double unit = requireTimeUnit(fit.response, fit.unit);
    const study::Coding coding(fit.factors);
    std::vector<double> jobs;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done)
            continue;
        study::Settings settings = run.settings;
        for (const auto& [name, value] : instead)
            settings.insert_or_assign(name, value);
        jobs.push_back(unit * requirePositive(fit, model::predictMean(fit, coding.toCoded(settings))));
    }
    if (jobs.empty())
        throw std::invalid_argument("no run is done");
    return jobs;
}

std::vector<double> modeledJobsAlong(const model::Fit& fit, std::size_t factor,
                                     const study::Settings& instead)
{
    const study::Coding coding(fit.factors);
    study::Settings settings = coding.toSettings(coding.center());
    for (const auto& [name, value] : instead)
        settings.insert_or_assign(name, value);
    const double unit = requireTimeUnit(fit.response, fit.unit);
    std::vector<double> jobs = model::effectCurve(fit, factor, coding.toCoded(settings), kStepsAlong).mean;
    for (double& job : jobs)
        job = unit * requirePositive(fit, job);
    return jobs;
}

std::optional<FactorExtremes> findExtremes(const model::Fit& fit, const study::Settings& set)
{
    std::vector<std::pair<double, std::size_t>> totals;
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        const std::string& name = fit.factors[i].name;
        const auto found = std::ranges::find(fit.importance, name, &model::Importance::factor);
        if (!set.contains(name) && found != fit.importance.end())
            totals.emplace_back(found->total, i);
    }
    if (totals.size() < 2)
        return std::nullopt;
    const auto [least, most] = std::ranges::minmax(totals);
    return FactorExtremes{least.second, most.second};
}

} // namespace quadric::plan
