// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"
#include "core/run/follow/runner_news.h"
#include "core/study/study.h"

#include <set>
#include <string>
#include <string_view>

namespace quadric::app {

/// What `quadric run --test` was asked for.
struct TrialOptions {
    std::string path;
    int run = 0; ///< whose setting; 0: the first run's
    bool approve = false, json = false;
};

/// Executes one setting once and prints what was read of it and what the program printed. Returns the exit
/// status.
int executeTrial(CommandLine& line, const TrialOptions& options);

/// For --approve: remembers what the study wants to execute, and says on standard error what that is where it
/// was not approved before, and why it cannot be remembered. Returns what was approved now, for
/// run::requireApproval().
std::string approveAndShow(const std::string& path);

/// Says how the runner of this study gets on, as it says it itself: what it has done so far, and then what it
/// does, until it has ended. Returns the exit status.
int followRunner(const std::string& path);

/// The last row of a terminal, which is drawn over. Says nothing where standard output is no terminal, or one
/// that cannot erase a row (TERM=dumb).
class StatusRow {
public:
    StatusRow();

    bool isShown() const { return m_isShown; }
    /// Cut to the width of the terminal.
    void draw(const std::string& text);
    /// Before a line is printed.
    void erase();

private:
    bool m_isShown;
    bool m_isDrawn = false;
};

/// Says on standard output how the runs of a study go: a line when a run starts and when it ends, what was
/// disturbed and what is measured again, and how long it still takes. On a terminal the latter stands in a
/// row that is drawn over, elsewhere in a line behind each run.
class RunProgress {
public:
    RunProgress(study::Study study, int plannedRuns, int plannedBaselines);

    /// A run is started, done, failed or back to pending.
    void showRecord(const study::Run& run);
    /// One event of the runner, as a line of JSON.
    void takeEvent(std::string_view event);
    /// Draws what has changed since then; every second or so.
    void tick();
    /// No run follows: the row is gone, and what was disturbed is named.
    void finish();

private:
    void printStart(const study::Run& run);
    void printEnd(const study::Run& run);
    void printRunResult(const study::Run& run);
    void print(const std::string& line);
    void printRemaining();
    std::string endedText() const;
    std::string activeText() const;
    std::string formatResults(const study::Run& run) const;

    study::Study m_study;
    std::size_t m_runs;
    int m_planned; ///< starts, with those of runs that are measured again
    int m_plannedBaselines;
    int m_started = 0;
    int m_startedBaselines = 0;
    std::set<int> m_active; ///< ids
    std::set<int> m_everStarted;
    std::set<int> m_ended;      ///< runs of the experiment that were done or have failed here
    std::set<int> m_disturbed;  ///< by their latest result
    std::set<int> m_withResult; ///< done, whenever
    bool m_isRemainingOwed = false;
    run::RunnerNews m_news;
    StatusRow m_row;
};

} // namespace quadric::app
