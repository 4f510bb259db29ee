// SPDX-License-Identifier: GPL-3.0-or-later
// `runner_process run STUDY --events [--retry-failed|--approve]`: a runner in a process of its own. Prints
// "started ID" and "done ID" as they are told, and its last word; the exit status is that of `quadric run`.
#include "core/run/recipe/approval.h"
#include "core/run/runner/run_line.h"
#include "core/run/runner/runner.h"
#include "core/run/worker/worker_process.h"
#include "core/study/document/document.h"

#include <QCoreApplication>

#include <csignal>
#include <iostream>
#include <string_view>

namespace {

using namespace quadric;

void tell(const study::Run& run)
{
    if (run.status == study::RunStatus::Running)
        std::cout << "started " << run.id << std::endl;
    else if (run.status == study::RunStatus::Done)
        std::cout << "done " << run.id << std::endl;
}

} // namespace

int main(int argc, char** argv)
{
    using namespace quadric::run;
    std::signal(SIGPIPE, SIG_IGN);
    QCoreApplication application(argc, argv);
    try {
        Termination termination;
        adoptOrphans();
        RunnerOptions options;
        const quadric::study::Study study = quadric::study::loadStudy(argv[2]).study;
        options.launcher = launcherFor(study, argv[2]);
        const std::string_view option = argc > 4 ? argv[4] : "";
        options.retryFailed = option == "--retry-failed";
        if (option == "--approve")
            ApprovalRequest(study, argv[2]).approve();
        Runner runner(argv[2], options);
        RunnerSummary summary;
        QObject::connect(&termination, &Termination::requested, &runner, &Runner::stop);
        QObject::connect(&runner, &Runner::runRecorded, &runner, &tell);
        QObject::connect(&runner, &Runner::ended, &application, [&summary](const RunnerSummary& atTheEnd) {
            summary = atTheEnd;
            QCoreApplication::quit();
        });
        runner.start();
        QCoreApplication::exec();
        std::cout << summary.inWords() << std::endl;
        return summary.problem.empty() && summary.failed + summary.cancelled == 0 && !summary.isStopped ? 0
                                                                                                        : 1;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
