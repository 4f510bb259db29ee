// SPDX-License-Identifier: GPL-3.0-or-later
// `runner_process run STUDY --events [--retry-failed|--approve]`: a runner in a process of its own.
#include "core/run/recipe/approval.h"
#include "core/run/runner/launcher_choice.h"
#include "core/run/runner/runner.h"
#include "core/run/worker/orphans.h"
#include "core/run/worker/termination.h"
#include "core/study/document.h"

#include <QCoreApplication>

#include <csignal>
#include <iostream>
#include <string_view>

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
        QObject::connect(&termination, &Termination::requested, &runner, &Runner::stop);
        QObject::connect(&runner, &Runner::ended, &application, [] { QCoreApplication::quit(); });
        runner.start();
        return QCoreApplication::exec();
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
