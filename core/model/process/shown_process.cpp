// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/shown_process.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>
#include <stdexcept>

namespace quadric::model {

namespace {

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

std::shared_ptr<const Process> processOf(const study::Study& study, const std::string& response)
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
    std::shared_ptr<const Process> process = processOf(study, response);
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
