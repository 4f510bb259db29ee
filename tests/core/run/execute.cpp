// SPDX-License-Identifier: GPL-3.0-or-later
#include "execute.h"

#include <QEventLoop>
#include <QTimer>

namespace quadric::test {

constexpr int kExecutionPatienceMs = 120000;

run::RunnerSummary execute(const std::filesystem::path& path, const run::RunnerOptions& options)
{
    run::RunnerSummary summary;
    QEventLoop loop; // not QTest::qWait(), which sleeps between two looks
    run::Runner runner(path, options);
    QObject::connect(&runner, &run::Runner::ended, &loop, [&](const run::RunnerSummary& atTheEnd) {
        summary = atTheEnd;
        loop.quit();
    });
    QTimer::singleShot(kExecutionPatienceMs, &loop, [] { qFatal("the runner does not end"); });
    runner.start();
    loop.exec();
    return summary;
}

} // namespace quadric::test
