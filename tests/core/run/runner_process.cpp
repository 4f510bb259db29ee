// SPDX-License-Identifier: GPL-3.0-or-later
// `runner_process run STUDY --events`: a runner in a process of its own.
#include "core/run/runner.h"
#include "core/run/termination.h"

#include <QCoreApplication>

#include <csignal>
#include <iostream>

int main(int argc, char** argv)
{
    using namespace quadric::run;
    std::signal(SIGPIPE, SIG_IGN);
    QCoreApplication application(argc, argv);
    try {
        Termination termination;
        Runner runner(argv[2], {});
        QObject::connect(&termination, &Termination::requested, &runner, &Runner::stop);
        QObject::connect(&runner, &Runner::ended, &application, [] { QCoreApplication::quit(); });
        runner.start();
        return QCoreApplication::exec();
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
