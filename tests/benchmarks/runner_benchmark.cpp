// SPDX-License-Identifier: GPL-3.0-or-later
// What the runner adds to a run, and what it costs while it waits for a worker. `runner_benchmark [RUNS]`.
#include "core/run/runner/runner.h"
#include "core/study/document/document.h"
#include "tests/support/test_paths.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

using namespace quadric;

constexpr double kWaitSeconds = 5.0;

/// `runs` runs of the fake worker, each of which sleeps so long.
study::Study studyOf(int runs, double milliseconds)
{
    study::Study study;
    study.name = "runner";
    for (const char* name : {"a", "b"}) {
        study::Factor factor;
        factor.name = name;
        factor.low = 0.0;
        factor.high = 1e6;
        study.factors.push_back(factor);
    }
    study::Response response;
    response.name = "speed";
    study.responses = {response};
    study.design.type = "custom";
    study.fixed = {{"milliseconds", milliseconds}};
    for (int id = 1; id <= runs; ++id) {
        study::Run run;
        run.id = run.order = id;
        run.settings = {{"a", 1.0 * id}, {"b", 1.0}};
        study.runs.push_back(run);
    }
    return study;
}

double secondsWithRunner(const study::Study& study)
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString() + "/study.quadric";
    study::saveStudy(study, path);
    QElapsedTimer clock;
    clock.start();
    run::Runner runner(path, {});
    QObject::connect(&runner, &run::Runner::ended, [] { QCoreApplication::quit(); });
    runner.start();
    QCoreApplication::exec();
    return static_cast<double>(clock.nsecsElapsed()) / 1e9;
}

double secondsAlone(int runs)
{
    QElapsedTimer clock;
    clock.start();
    qputenv("QUADRIC_SETTINGS", R"({"a": 1, "b": 1})");
    for (int i = 0; i < runs; ++i) {
        QProcess worker;
        worker.setStandardOutputFile(QProcess::nullDevice());
        worker.setStandardErrorFile(QProcess::nullDevice());
        worker.start(QString::fromUtf8(builtPath("bin/fake_worker")), QStringList());
        worker.waitForFinished();
    }
    return static_cast<double>(clock.nsecsElapsed()) / 1e9;
}

double processorSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker"));
    const int runs = argc > 1 ? std::atoi(argv[1]) : 200;
    const double together = secondsWithRunner(studyOf(runs, 0.0));
    const double alone = secondsAlone(runs);
    std::printf("%d runs: %.1f ms each, %.1f ms the worker alone, %.1f ms added (aim: below 50)\n", runs,
                1e3 * together / runs, 1e3 * alone / runs, 1e3 * (together - alone) / runs);
    const double before = processorSeconds();
    const double waited = secondsWithRunner(studyOf(1, 1e3 * kWaitSeconds));
    std::printf("waiting %.1f s for a worker: %.2f %% of one core (aim: below 1)\n", waited,
                100.0 * (processorSeconds() - before) / waited);
}
