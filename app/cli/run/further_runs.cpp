// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/further_runs.h"

#include "core/model/feasibility/feasibility.h"
#include "core/model/process/shown_process.h"
#include "core/optimize/answer/own_best.h"
#include "core/optimize/next/near_runs.h"
#include "core/optimize/next/run_plan.h"
#include "core/optimize/next/runs_limit.h"
#include "core/report/findings/run_plan_findings.h"
#include "core/run/time/duration_model.h"
#include "core/study/document/document.h"

#include <algorithm>

namespace quadric::app {

namespace {

constexpr int kMostConfirmed = 3; ///< settings; then somebody has to look
constexpr int kMostFailed = 6;    ///< added runs in a row: more than a boundary would explain

/// The latest added runs failed one after the other, so that it is not the settings.
bool haveAllFailed(const study::Study& study)
{
    int failed = 0;
    const std::vector<const study::Run*> runs = study::inRunOrder(study);
    for (auto run = runs.rbegin(); run != runs.rend() && failed < kMostFailed; ++run) {
        const bool isAdded =
            (*run)->kind == study::RunKind::Augment || (*run)->kind == study::RunKind::Confirmation;
        if (!isAdded || (*run)->status != study::RunStatus::Failed)
            return false;
        ++failed;
    }
    return failed == kMostFailed;
}

double secondsOf(const study::Study& study)
{
    double sum = 0.0;
    for (const study::Run& run : study.runs)
        sum += run.provenance.seconds.value_or(0.0);
    return sum;
}

optimize::OptimizeOptions searchOf(const study::Study& study)
{
    optimize::OptimizeOptions options;
    options.staysNearRuns = optimize::nearRunsOf(study) == optimize::NearRuns::On;
    options.leastRunsProbability = optimize::leastRunsProbabilityOf(study);
    return options;
}

/// What the page Optimize and `quadric optimize` recommend; by the processes where these models cannot tell.
optimize::Optimum recommended(const study::Study& study, const std::vector<model::Process>& processes)
{
    const optimize::Optimum best = optimize::findOptimum(
        study, optimize::withShownProcesses(study, optimize::fitForGoals(study)), searchOf(study));
    return best.isOk() ? best
                       : optimize::findOptimum(study, model::fitsOf(processes, study), searchOf(study));
}

bool hasConfirmation(const study::Study& study, const study::Settings& settings)
{
    return std::ranges::any_of(study.runs, [&](const study::Run& run) {
        return run.kind == study::RunKind::Confirmation && run.settings == settings;
    });
}

} // namespace

FurtherRuns::FurtherRuns(std::filesystem::path document, double budget, int confirming)
    : m_document(std::move(document))
    , m_budget(budget)
    , m_before(secondsOf(study::loadStudy(m_document).study))
    , m_confirming(confirming)
{
}

std::vector<study::Run> FurtherRuns::next(const study::Study& study)
{
    m_spent = std::max(0.0, secondsOf(study) - m_before);
    const std::vector<model::Process> processes = model::fitProcesses(study);
    std::vector<study::Run> runs;
    if (haveAllFailed(study)) {
        m_end = report::describeFailedRow(kMostFailed);
        noteEnd();
        return runs;
    }
    if (m_asked < kMostConfirmed)
        runs = m_spent < m_budget ? improving(study, processes) : spent();
    if (runs.empty() && m_confirming > 0 && m_asked < kMostConfirmed)
        runs = confirming(study, processes);
    if (runs.empty())
        noteEnd();
    return runs;
}

std::vector<study::Run> FurtherRuns::spent()
{
    m_end = report::describePlanEnd({}, 0.0);
    return {};
}

std::vector<study::Run> FurtherRuns::improving(const study::Study& study,
                                               const std::vector<model::Process>& processes)
{
    const run::DurationModel durations = run::learnDurations(study);
    optimize::PlanOptions options;
    options.search = searchOf(study);
    options.most = std::max(1, study.benchmark.parallel);
    if (!durations.isEmpty()) {
        options.seconds = m_budget - m_spent;
        options.secondsOf = [&durations](const study::Settings& settings) {
            return durations.forecast({settings}, {1.0}).seconds.front();
        };
    }
    const optimize::RunPlan plan = optimize::planRuns(study, processes, options);
    m_end = report::describePlanEnd(plan, options.leastGain);
    std::vector<study::Settings> settings;
    std::vector<run::RunProposal> proposals;
    for (const optimize::PlannedRun& run : plan.runs) {
        settings.push_back(run.settings);
        proposals.push_back({.gain = run.gain,
                             .runsProbability = run.runsProbability,
                             .seconds = run.seconds,
                             .isRepeat = run.isRepeat});
    }
    return noted(study, study::RunKind::Augment, std::move(settings), std::move(proposals));
}

std::vector<study::Run> FurtherRuns::confirming(const study::Study& study,
                                                const std::vector<model::Process>& processes)
{
    const optimize::Optimum best = recommended(study, processes);
    if (!best.isOk() || hasConfirmation(study, best.settings))
        return {};
    ++m_asked;
    const auto count = static_cast<std::size_t>(m_confirming);
    run::RunProposal proposal{.purpose = run::RunProposal::Purpose::Confirmation};
    if (const auto feasibility = model::feasibilityOf(study))
        proposal.runsProbability =
            feasibility->probabilityAt(study::Coding(study.factors).toCoded(best.settings).x);
    return noted(study, study::RunKind::Confirmation, std::vector(count, best.settings),
                 std::vector(count, proposal));
}

std::vector<study::Run> FurtherRuns::noted(const study::Study& study, study::RunKind kind,
                                           std::vector<study::Settings> settings,
                                           std::vector<run::RunProposal> proposals)
{
    if (settings.empty())
        return {};
    const study::Study after = study::withRuns(study, settings, kind);
    std::vector<study::Run> runs(after.runs.end() - std::ssize(settings), after.runs.end());
    run::ProposalRecord record{.spent = m_spent, .budget = m_budget};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        proposals[i].run = runs[i].id;
        proposals[i].settings = study::writeSettings(runs[i].settings);
        record.runs.push_back(proposals[i]);
    }
    run::noteProposals(m_document, record);
    return runs;
}

void FurtherRuns::noteEnd()
{
    run::noteProposals(m_document, {.end = m_end, .spent = m_spent, .budget = m_budget});
}

} // namespace quadric::app
