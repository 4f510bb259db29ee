// SPDX-License-Identifier: GPL-3.0-or-later
// What ends when guards are killed, alone and together with their runner.
#include "core/run/recipe/launch.h"
#include "core/study/journal.h"
#include "study_fixture.h"
#include "victims.h"

#include <QProcess>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace quadric;
using test::processesOf;
using test::StudyFixture;
using test::Victim;

namespace {

constexpr int kPatienceMs = 60000;

} // namespace

class GuardTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void guardsAreKilled_data();
    void guardsAreKilled();
    void nobodyIsLeftToGuard();
    void endsOfChildrenAreIgnored();

private:
    void startHanging(const StudyFixture& fixture);

    QByteArray m_token;
};

void GuardTest::initTestCase()
{
    qputenv("QUADRIC_PROGRAM", RUNNER_PROCESS);
    qputenv("QUADRIC_TRAINER", FAKE_WORKER);
}

void GuardTest::init()
{
    m_token = "token-" + QByteArray::number(QCoreApplication::applicationPid()) + "-" +
              QTest::currentTestFunction() + "-" + QTest::currentDataTag();
    m_token.replace(' ', '-');
    qputenv("QUADRIC_TEST_TOKEN", m_token);
}

void GuardTest::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(processesOf(m_token).size(), std::size_t{0}, kPatienceMs);
}

/// Until worker, child and grandchild are there, beside runner and guards.
void GuardTest::startHanging(const StudyFixture& fixture)
{
    QCOMPARE(run::startRunner(fixture.path()), QString());
    const auto areAllThere = [this] { return processesOf(m_token).size() == 6; };
    QVERIFY(QTest::qWaitFor(areAllThere, kPatienceMs));
}

void GuardTest::guardsAreKilled_data()
{
    QTest::addColumn<Victim>("victim");
    QTest::newRow("a guard") << Victim::Guard;
    QTest::newRow("runner and guard") << Victim::RunnerAndGuard;
}

/// Worker, child and grandchild in a session of its own, deaf to SIGTERM: none outlives its guard, whoever
/// dies with it.
void GuardTest::guardsAreKilled()
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

/// What then is left ends with the next runner, before that measures anything.
void GuardTest::nobodyIsLeftToGuard()
{
    StudyFixture fixture({"hang with children", "work"});
    startHanging(fixture);
    QVERIFY(test::kill(m_token, Victim::Everybody));
    QTRY_COMPARE_WITH_TIMEOUT(processesOf(m_token).size(), std::size_t{2}, kPatienceMs);
    const std::vector<int> left = test::processesWith(m_token.toStdString());
    QCOMPARE(run::startRunner(fixture.path()), QString());
    for (const int pid : test::processesWith(m_token.toStdString()))
        QVERIFY(!std::ranges::count(left, pid));
    QVERIFY(run::requestStop(fixture.path()));
    QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
}

/// As a program may inherit it from whoever starts it.
void GuardTest::endsOfChildrenAreIgnored()
{
    StudyFixture fixture({"children", "exit"});
    QProcess runner;
    runner.setChildProcessModifier([] { std::signal(SIGCHLD, SIG_IGN); });
    runner.start(QStringLiteral(RUNNER_PROCESS),
                 {QStringLiteral("run"), QString::fromStdString(fixture.path().string())});
    QVERIFY(runner.waitForFinished(kPatienceMs));
    QCOMPARE(fixture.load().runs[0].status, study::RunStatus::Done);
    QCOMPARE(fixture.load().runs[1].failure.value().kind, std::string("exit-status"));
}

QTEST_GUILESS_MAIN(GuardTest)
#include "guard_test.moc"
