// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/base/job_runner.h"

#include <QSemaphore>
#include <QTest>
#include <QThread>

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
        std::atomic<bool> hasBegun = false, wasAskedToStop = false;
        JobRunner<int> runner;
        runner.start(
            [&hasBegun, &wasAskedToStop](std::stop_token stop) {
                hasBegun = true;
                while (!stop.stop_requested())
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                wasAskedToStop = true;
                return 1;
            },
            [&delivered](int result) { delivered.push_back(result); });
        QTRY_VERIFY(hasBegun);
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
        std::atomic<bool> hasBegun = false, hasEnded = false;
        bool isDelivered = false;
        {
            JobRunner<int> runner;
            runner.start(
                [&hasBegun, &hasEnded](std::stop_token stop) {
                    hasBegun = true;
                    while (!stop.stop_requested())
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    hasEnded = true;
                    return 1;
                },
                [&isDelivered](int) { isDelivered = true; });
            QVERIFY(runner.isBusy());
            QTRY_VERIFY(hasBegun);
        }
        QTRY_VERIFY(hasEnded);
        QTest::qWait(20);
        QVERIFY(!isDelivered);
    }

    void ofManyRequestsThatWaitForTheirTurnOnlyTheNewestRuns()
    {
        JobRunner<int> other, runner;
        QSemaphore turn;
        occupyPool(other, turn);
        std::atomic<int> begun = 0;
        std::vector<int> delivered;
        for (int i = 1; i <= 50; ++i)
            runner.start(
                [&begun, i](std::stop_token) {
                    ++begun;
                    return i;
                },
                [&delivered](int result) { delivered.push_back(result); });
        turn.release();
        QTRY_COMPARE(delivered, std::vector<int>{50});
        QCOMPARE(begun.load(), 1);
    }

    void aRequestThatIsToEndWithWhatItHasIsDeliveredThoughItHadToWait()
    {
        JobRunner<int> other, runner;
        QSemaphore turn;
        occupyPool(other, turn);
        int delivered = 0;
        runner.start([](std::stop_token stop) { return stop.stop_requested() ? 7 : 1; },
                     [&delivered](int result) { delivered = result; });
        runner.finish();
        turn.release();
        QTRY_COMPARE(delivered, 7);
    }

    void cleanup() { QThreadPool::globalInstance()->setMaxThreadCount(QThread::idealThreadCount()); }

private:
    /// The pool has one thread, and this is its work.
    static void occupyPool(JobRunner<int>& runner, QSemaphore& turn)
    {
        QThreadPool::globalInstance()->setMaxThreadCount(1);
        runner.start(
            [&turn](std::stop_token) {
                turn.acquire();
                return 0;
            },
            [](int) {});
    }
};

QUADRIC_QT_TEST(JobRunnerTest)
#include "job_runner_test.moc"
