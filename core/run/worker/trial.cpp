// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/trial.h"

#include "core/run/words/run_samples.h"
#include "core/run/words/study_place.h"
#include "core/run/worker/launcher.h"
#include "core/run/worker/run_policy.h"
#include "core/study/derived.h"
#include "core/study/files/companion_file.h"

namespace quadric::run {

namespace {

constexpr std::size_t kShownOutput = std::size_t{64} << 10;

study::Run trialRun(const study::Study& study, int runId)
{
    const study::Run* wanted = runId > 0            ? study::findRun(study, runId)
                               : study.runs.empty() ? nullptr
                                                    : &study.runs.front();
    if (wanted == nullptr)
        throw RecipeError(runId > 0 ? "there is no run " + std::to_string(runId) + " in the study"
                                    : "the study has no runs: there is no setting to try");
    checkRunSettings(study, *wanted);
    study::Run run = backToPending(*wanted);
    run.id = 0; // the log of the run itself stays as it is
    return run;
}

ApprovedStudy checkedAndApproved(const study::Study& study, const std::filesystem::path& document)
{
    checkRecipe(study);
    return requireApproval(study, document);
}

/// What is left of the log when it is cut at the front, at a line.
std::string endOf(std::string text)
{
    if (text.size() <= kShownOutput)
        return text;
    const std::size_t line = text.find('\n', text.size() - kShownOutput);
    return "…" + (line == std::string::npos ? text.substr(text.size() - kShownOutput) : text.substr(line));
}

} // namespace

Trial::Trial(study::Study study, int runId, std::filesystem::path document)
    : m_study(std::move(study))
    , m_run(trialRun(m_study, runId))
    , m_document(std::move(document))
    , m_approved(checkedAndApproved(m_study, m_document))
    , m_launch(launchFor(m_approved, m_run))
{
    checkPlace(m_document);
}

Trial::~Trial() = default;

void Trial::start()
{
    m_run.status = study::RunStatus::Running;
    m_active = std::make_unique<ActiveRun>(m_run, forRun(m_study.benchmark.parse, m_study, m_run), m_document,
                                           makeLocalLauncher()->makeProcess(m_study, m_run));
    connect(m_active.get(), &ActiveRun::ended, this, &Trial::finish);
    m_active->start(m_launch, limitsOf(m_study.benchmark));
}

void Trial::stop()
{
    if (m_active)
        m_active->stop(StopReason::Cancel);
}

void Trial::finish(const WorkerExit& exit)
{
    TrialReport report;
    report.run = study::withComputedResults(m_study, m_active->concluded(m_study, exit));
    m_approved.noteWrittenFiles();
    report.standardOutput = m_active->standardOutput();
    report.standardError = m_active->standardError();
    m_active.release()->deleteLater(); // it is the sender
    const std::filesystem::path log = logPath(m_document, m_run.id);
    report.output = endOf(study::readCompanion(log, logFolder(m_document)).value_or(std::string()));
    if (m_study.benchmark.parse.kind == study::ParseSpec::Kind::Protocol)
        report.standardOutput = report.output;
    std::error_code ignored;
    std::filesystem::remove(log, ignored);
    std::filesystem::remove(samplesPath(m_document, m_run.id), ignored);
    std::filesystem::remove(logFolder(m_document), ignored); // only where it is empty
    emit ended(report);
}

} // namespace quadric::run
