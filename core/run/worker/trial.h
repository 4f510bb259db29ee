// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval.h"
#include "core/run/words/trial_report.h"
#include "core/run/worker/active_run.h"

namespace quadric::run {

/// Executes one setting of a study once, to see whether its results can be read. Nothing gets into the study,
/// and no log is left.
class Trial : public QObject {
    Q_OBJECT

public:
    /// The setting of the run with this number, or of the first run for 0. `document` is where the study is
    /// or will be. Throws RecipeError, and ApprovalError for a command that the user has not approved.
    Trial(study::Study study, int runId, std::filesystem::path document);
    ~Trial() override;

    const study::Settings& settings() const { return m_run.settings; }
    void start();
    void stop();

signals:
    void ended(const quadric::run::TrialReport& report);

private:
    void finish(const WorkerExit& exit);

    study::Study m_study;
    study::Run m_run;
    std::filesystem::path m_document;
    ApprovedStudy m_approved;
    Launch m_launch;
    std::unique_ptr<ActiveRun> m_active;
};

} // namespace quadric::run
