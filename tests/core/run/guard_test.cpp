// SPDX-License-Identifier: GPL-3.0-or-later
// What ends when guards are killed, alone and together with their runner.
#include "core/run/launch/launch.h"
#include "core/study/files/journal.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"
#include "victims.h"

#include <QProcess>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <csignal>
#include <map>

using namespace quadric;
using test::processesOf;
using test::StudyFixture;
using test::Victim;

class GuardTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::useFakePrograms(); }

    void init() { m_token = test::markProcesses(); }

    void cleanup() { QTRY_COMPARE_WITH_TIMEOUT(processesOf(m_token).size(), std::size_t{0}, kPatienceMs); }

    void guardsAreKilled_data()
    {
        QTest::addColumn<Victim>("victim");
        QTest::newRow("a guard") << Victim::Guard;
        QTest::newRow("runner and guard") << Victim::RunnerAndGuard;
    }

    /// Worker, child and grandchild in a session of its own, deaf to SIGTERM: none outlives its guard,
    /// whoever dies with it.
    void guardsAreKilled()
    {
        QFETCH(Victim, victim);
        StudyFixture fixture({"hang with children", "work"});
        fixture.study().benchmark.retry = {.crash = 0};
        fixture.save();
        startHanging(fixture);
        QVERIFY(test::kill(m_token, victim));
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(processesOf(m_token).size(), std::size_t{0}, kPatienceMs);
        if (victim != Victim::Guard)
            return;
        QCOMPARE(fixture.load().runs[0].failure.value().kind, std::string("crash"));
        QCOMPARE(fixture.load().runs[1].status, study::RunStatus::Done);
    }

    /// r: the runner, o: the guard that it has started, i: that one's own.
    void noOrderOfKillsLeavesAProcess_data()
    {
        QTest::addColumn<QString>("order");
        QTest::addColumn<int>("pauseMs");
        const auto add = [](const char* order, std::initializer_list<int> pauses) {
            for (const int pauseMs : pauses)
                QTest::addRow("%s, %d ms apart", order, pauseMs) << QString::fromLatin1(order) << pauseMs;
        };
        add("ro", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3});
        for (const char* order : {"or", "ri", "ir", "oi", "io"})
            add(order, {0, 2, 7});
        for (const char* order : {"roi", "rio", "ori", "oir", "iro", "ior"})
            add(order, {0, 5});
    }

    /// Of two kills nothing is left. After all three what the worker had started ends with the next runner.
    void noOrderOfKillsLeavesAProcess()
    {
        QFETCH(QString, order);
        QFETCH(int, pauseMs);
        StudyFixture fixture({"hang with children"});
        fixture.study().benchmark.retry = {.crash = 0};
        fixture.save();
        startHanging(fixture);
        killInOrder(order, pauseMs);
        if (order.size() == 3) {
            QTRY_VERIFY_WITH_TIMEOUT(processesOf(m_token).size() <= 2, kPatienceMs);
            startNextRunner(fixture);
            run::requestStop(
                fixture.path()); // it has nothing to do where the killed one had noted the failure
        }
        QTRY_COMPARE_WITH_TIMEOUT(processesOf(m_token).size(), std::size_t{0}, kPatienceMs);
    }

    /// What then is left ends with the next runner, before that measures anything.
    void nobodyIsLeftToGuard()
    {
        StudyFixture fixture({"hang with children", "work"});
        startHanging(fixture);
        QVERIFY(test::kill(m_token, Victim::Everybody));
        QTRY_COMPARE_WITH_TIMEOUT(processesOf(m_token).size(), std::size_t{2}, kPatienceMs);
        const std::vector<int> left = test::processesWith(m_token.toStdString());
        startNextRunner(fixture);
        for (const int pid : test::processesWith(m_token.toStdString()))
            QVERIFY(!std::ranges::count(left, pid));
        QVERIFY(run::requestStop(fixture.path()));
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
    }

    /// As a program may inherit it from whoever starts it.
    void endsOfChildrenAreIgnored()
    {
        StudyFixture fixture({"children", "exit"});
        QProcess runner;
        runner.setChildProcessModifier([] { std::signal(SIGCHLD, SIG_IGN); });
        runner.start(QString::fromUtf8(builtPath("bin/runner_process")),
                     {QStringLiteral("run"), QString::fromStdString(fixture.path().string())});
        QVERIFY(runner.waitForFinished(kPatienceMs));
        QCOMPARE(fixture.load().runs[0].status, study::RunStatus::Done);
        QCOMPARE(fixture.load().runs[1].failure.value().kind, std::string("exit-status"));
    }

private:
    /// Until worker, child and grandchild are there, beside runner and guards.
    void startHanging(const StudyFixture& fixture)
    {
        QCOMPARE(run::startRunner(fixture.path()), QString());
        const auto areAllThere = [this] { return processesOf(m_token).size() == 6; };
        QVERIFY(QTest::qWaitFor(areAllThere, kPatienceMs));
    }

    void killInOrder(const QString& order, int pauseMs)
    {
        std::map<QChar, int> pids;
        for (const test::Process& process : processesOf(m_token)) {
            if (process.program == "runner_process")
                pids['r'] = process.pid;
            else if (process.program == "quadric-guard")
                pids[process.parentProgram == "quadric-guard" ? 'i' : 'o'] = process.pid;
        }
        QCOMPARE(pids.size(), std::size_t{3});
        for (const QChar victim : order) {
            ::kill(pids.at(victim), SIGKILL); // who has ended with another one is not there any more
            QThread::msleep(static_cast<unsigned long>(pauseMs));
        }
    }

    /// Not at once: a process that is being killed loses its environment, by which it is found, before its
    /// lock.
    void startNextRunner(const StudyFixture& fixture)
    {
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
        QCOMPARE(run::startRunner(fixture.path()), QString());
    }

    QByteArray m_token;
};

QUADRIC_QT_TEST(GuardTest)
#include "guard_test.moc"
