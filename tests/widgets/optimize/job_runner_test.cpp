// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/job_runner.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using quadric::widgets::JobRunner;

class JobRunnerTest : public QObject {
    Q_OBJECT

private slots:
    void theNewestRequestWins()
    {
        std::vector<int> delivered;
        std::atomic<bool> wasAskedToStop = false;
        JobRunner<int> runner;
        runner.start(
            [&wasAskedToStop](std::stop_token stop) {
                while (!stop.stop_requested())
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                wasAskedToStop = true;
                return 1;
            },
            [&delivered](int result) { delivered.push_back(result); });
        runner.start([](std::stop_token) { return 2; },
                     [&delivered](int result) { delivered.push_back(result); });
        QTRY_VERIFY(wasAskedToStop);
        QTRY_COMPARE(delivered, std::vector<int>{2});
        QTest::qWait(20);
        QCOMPARE(delivered, std::vector<int>{2});
        QVERIFY(!runner.isBusy());
    }

    void nothingIsDeliveredAfterTheRunnerIsGone()
    {
        std::atomic<bool> hasEnded = false;
        bool isDelivered = false;
        {
            JobRunner<int> runner;
            runner.start(
                [&hasEnded](std::stop_token) {
                    hasEnded = true;
                    return 1;
                },
                [&isDelivered](int) { isDelivered = true; });
            QVERIFY(runner.isBusy());
        }
        QTRY_VERIFY(hasEnded);
        QTest::qWait(20);
        QVERIFY(!isDelivered);
    }
};

QTEST_MAIN(JobRunnerTest)
#include "job_runner_test.moc"
