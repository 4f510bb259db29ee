// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/process_choice.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>
#include <stdexcept>

namespace quadric::model {

namespace {

/// An error of 0 is not infinitely better.
constexpr double kLeastError = 1e-12;
constexpr int kSimulations = 19;              ///< all of them on one side: 5 %
constexpr double kNotablySmaller = 2.0 / 3.0; ///< of the polynomial's error
constexpr std::ptrdiff_t kEnoughFollowUps = 5;
constexpr std::uint64_t kSeed = 20261123;

/// log of the process's error over the polynomial's; the smaller, the better the process.
double logRatio(const ModelErrors& error)
{
    const double least = kLeastError * std::max(error.process.error, error.polynomial.error);
    return std::log(std::max(error.process.error, least) / std::max(error.polynomial.error, least));
}

/// The study with results as the polynomial and its residual deviation give them.
study::Study simulatedFrom(const Fit& fit, study::Study study, NormalDraws& draws)
{
    const PredictionError truth(fit);
    const study::Coding coding(fit.factors);
    for (study::Run& run : study.runs) {
        const auto result = run.results.find(fit.response);
        if (run.status != study::RunStatus::Done || result == run.results.end() ||
            !std::isfinite(result->second))
            continue;
        const double mean = truth.rowAt(coding.toCoded(run.settings)).dot(truth.beta());
        result->second = toResponseUnit(fit, mean + truth.sigma() * draws.next());
    }
    return study;
}

bool isMeasuredFollowUp(const study::Run& run)
{
    return run.kind == study::RunKind::Augment && run.status == study::RunStatus::Done;
}

constexpr const char* kProcessPage = "process";
constexpr std::size_t kMostKept = 16;

struct KeptProcess {
    study::Study study; ///< without views
    std::string response;
    std::shared_ptr<const Process> process;
};

Process fitOrSayWhyNot(const study::Study& study, const std::string& response)
{
    try {
        return fitProcess(study, response);
    } catch (const std::invalid_argument& error) {
        Process none;
        none.response = response;
        none.status = FitStatus::BadModel;
        none.message = error.what();
        return none;
    }
}

/// How the process stands to each run, on the model's scale.
std::vector<Diagnostic> diagnosticsOf(const Process& process, const study::Study& study)
{
    const study::Coding coding(process.factors);
    const study::RunIndex index(study);
    std::vector<Diagnostic> diagnostics;
    for (const int id : process.runs) {
        const study::Run* run = index.find(id);
        if (run == nullptr || !run->results.contains(process.response))
            continue;
        const double observed = run->results.find(process.response)->second;
        const double z = applyTransform(process.transform, observed).value_or(0.0);
        const double fitted = process.meanAt(coding.toCoded(run->settings).x);
        Diagnostic row{id, z, fitted, z - fitted, 0.0, {}, {}, {}, {}, run->order};
        diagnostics.push_back(std::move(row));
    }
    return diagnostics;
}

/// 1 − Σ (y − ŷ)² / Σ (y − ȳ)², ŷ without the runs at the same setting; response's own unit. Empty where all
/// results are the same.
std::optional<double> leftOutR2(const Process& process, const study::Study& study)
{
    const study::RunIndex index(study);
    std::vector<double> values;
    for (const int id : process.runs) {
        if (const study::Run* run = index.find(id); run != nullptr && run->results.contains(process.response))
            values.push_back(run->results.find(process.response)->second);
    }
    const Eigen::Map<const Eigen::ArrayXd> y(values.data(), std::ssize(values));
    const double total = values.empty() ? 0.0 : (y - y.mean()).square().sum();
    if (!(total > 0.0))
        return std::nullopt;
    return 1.0 - static_cast<double>(y.size()) * std::pow(process.leftOut.error, 2) / total;
}

} // namespace

std::vector<ModelErrors> compareErrors(const std::vector<Fit>& fits, const std::vector<Process>& processes)
{
    std::vector<ModelErrors> errors;
    for (const Process& process : processes) {
        const auto fit = std::ranges::find(fits, process.response, &Fit::response);
        if (fit == fits.end() || !process.isOk())
            continue;
        if (const std::optional<LeaveSettingOut> polynomial = leaveSettingOut(*fit))
            errors.push_back({process.response, *polynomial, process.leftOut});
    }
    return errors;
}

bool isProcessBetter(const std::vector<ModelErrors>& errors)
{
    double sum = 0.0;
    for (const ModelErrors& error : errors)
        sum += logRatio(error);
    return sum < 0.0;
}

bool isProcessBetterThanByChance(const study::Study& study, const Fit& fit, const Process& process,
                                 const std::stop_token& stop)
{
    const std::vector<ModelErrors> found = compareErrors({fit}, {process});
    if (found.empty() || !found.front().isProcessBetter() || fit.data == nullptr || fit.dfResidual < 1)
        return false;
    FitOptions polynomial = fit.data->options;
    polynomial.transform = fit.transform;
    const ProcessOptions options{.transform = process.transform};
    NormalDraws draws(kSeed);
    for (int i = 0; i < kSimulations; ++i) {
        if (stop.stop_requested())
            return false;
        const study::Study simulated = simulatedFrom(fit, study, draws);
        const auto errors = compareErrors({fitResponse(simulated, fit.response, polynomial)},
                                          {fitProcess(simulated, fit.response, options)});
        if (!errors.empty() && logRatio(errors.front()) <= logRatio(found.front()))
            return false;
    }
    return true;
}

bool isProcessAdvised(const study::Study& study, const Fit& fit, const Process& process,
                      const std::stop_token& stop)
{
    if (!fit.isOk() || !process.isOk())
        return false;
    const bool hasFollowUps = std::ranges::count_if(study.runs, isMeasuredFollowUp) >= kEnoughFollowUps;
    const std::optional<LeaveSettingOut> polynomial = leaveSettingOut(fit);
    if (!polynomial)
        return hasFollowUps;
    return process.leftOut.error < kNotablySmaller * polynomial->error &&
           (hasFollowUps || isProcessBetterThanByChance(study, fit, process, stop));
}

bool isProcessShown(const study::Study& study, std::string_view response)
{
    const auto page = study.view.find(kProcessPage);
    return page != study.view.end() &&
           std::ranges::any_of(page->second.views, [response](const std::vector<std::string>& row) {
               return row.size() == 1 && row.front() == response;
           });
}

bool haveSameProcessesShown(const study::Study& a, const study::Study& b)
{
    return std::ranges::all_of(a.responses, [&](const study::Response& response) {
        return isProcessShown(a, response.name) == isProcessShown(b, response.name);
    });
}

study::Study withProcessShown(study::Study study, const std::string& response, bool isShown)
{
    study::PageView& page = study.view[kProcessPage];
    std::erase_if(page.views, [&response](const std::vector<std::string>& row) {
        return row.size() == 1 && row.front() == response;
    });
    if (isShown)
        page.views.push_back({response});
    if (page.views.empty())
        study.view.erase(kProcessPage);
    return study;
}

std::shared_ptr<const Process> fitProcessCached(const study::Study& study, const std::string& response)
{
    static std::mutex mutex;
    static std::list<KeptProcess> kept;
    study::Study key = study;
    key.view.clear();
    const auto isSame = [&](const KeptProcess& each) {
        return each.response == response && each.study == key;
    };
    {
        const std::scoped_lock lock(mutex);
        if (const auto found = std::ranges::find_if(kept, isSame); found != kept.end())
            return found->process;
    }
    auto process = std::make_shared<const Process>(fitOrSayWhyNot(study, response));
    const std::scoped_lock lock(mutex);
    kept.push_front({std::move(key), response, process});
    if (kept.size() > kMostKept)
        kept.pop_back();
    return process;
}

std::shared_ptr<const Process> shownProcess(const study::Study& study, const std::string& response)
{
    if (!isProcessShown(study, response))
        return nullptr;
    std::shared_ptr<const Process> process = fitProcessCached(study, response);
    return process->isOk() ? process : nullptr;
}

Fit fitOf(std::shared_ptr<const Process> process, const study::Study& study)
{
    Fit fit;
    fit.status = process->status;
    fit.message = process->message;
    fit.response = process->response;
    fit.unit = process->unit;
    fit.model = kProcessModel;
    fit.transform = process->transform;
    fit.factors = process->factors;
    if (!process->isOk())
        return fit;
    fit.n = process->n;
    fit.dfResidual = process->df();
    fit.sigma = process->sigma;
    fit.confidence = process->confidence;
    fit.reach = process->reach;
    fit.seenLevels = process->seen;
    fit.isSimulated = study::hasSimulatedResults(study);
    fit.smallestObserved = process->smallestObserved;
    fit.largestObserved = process->largestObserved;
    fit.diagnostics = diagnosticsOf(*process, study);
    fit.r2Predicted = leftOutR2(*process, study);
    fit.predictor = std::move(process);
    return fit;
}

std::vector<Fit> fitsOf(const std::vector<Process>& processes, const study::Study& study)
{
    std::vector<Fit> fits;
    for (const Process& process : processes)
        fits.push_back(fitOf(std::make_shared<const Process>(process), study));
    return fits;
}

std::vector<Fit> shownFits(const study::Study& study, std::vector<Fit> fits)
{
    for (Fit& fit : fits) {
        if (auto process = shownProcess(study, fit.response))
            fit = fitOf(std::move(process), study);
    }
    return fits;
}

} // namespace quadric::model
