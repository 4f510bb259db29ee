// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/follower.h"
#include "core/run/launch/launch.h"
#include "core/run/words/events.h"
#include "core/run/words/run_files.h"
#include "core/study/files/file.h"
#include "core/study/files/journal.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QSysInfo>
#include <QTest>

#include <csignal>
#include <fstream>

using namespace quadric;
using test::StudyFixture;

namespace {

bool isAlive(const StudyFixture& fixture)
{
    return study::lockOwner(fixture.path()).has_value();
}

void killRunner(const StudyFixture& fixture)
{
    if (const auto owner = study::lockOwner(fixture.path()); owner && owner->pid > 1)
        ::kill(owner->pid, SIGKILL);
}

int countWorkers(const QByteArray& token)
{
    return static_cast<int>(test::processesWith(token.toStdString()).size());
}

} // namespace

class BackgroundTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::useFakePrograms(); }

    void init() { m_token = test::markProcesses(); }

    void cleanup() { QTRY_COMPARE_WITH_TIMEOUT(countWorkers(m_token), 0, kPatienceMs); }

    void runsToTheEndByItself()
    {
        StudyFixture fixture({"work", "work"});
        QCOMPARE(run::startRunner(fixture.path()), QString());
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(fixture), kPatienceMs);
        QCOMPARE(study::countRuns(fixture.load(), study::RunStatus::Done), 2);
        QVERIFY(!std::filesystem::exists(study::journalPath(fixture.path())));
        QCOMPARE(run::startRunner(fixture.path()), QString()); // nothing to do is no error
    }

    void saysWhyItDidNotStart()
    {
        StudyFixture fixture({"work"});
        fixture.study().benchmark.workload = "none";
        fixture.save();
        const QString reason = run::startRunner(fixture.path());
        QVERIFY2(reason.contains(QStringLiteral("nothing to execute")), qPrintable(reason));
        qputenv("QUADRIC_PROGRAM", "/no/such/program");
        QVERIFY(run::startRunner(fixture.path()).contains(QStringLiteral("/no/such/program")));
        qputenv("QUADRIC_PROGRAM", builtPath("bin/runner_process"));
        QVERIFY(!run::requestStop(fixture.path()));
    }

    /// The runner's own log is made anew, and nothing is written through what has its name.
    void writesItsLogThroughNoLink()
    {
        StudyFixture fixture({"work"});
        const std::filesystem::path folder = run::logFolder(fixture.path()),
                                    victim = fixture.path().string() + ".mine";
        std::ofstream(victim) << "the user's own";
        std::filesystem::create_directory(folder);
        std::filesystem::create_symlink(victim, folder / "runner.log");
        QCOMPARE(run::startRunner(fixture.path()), QString());
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(fixture), kPatienceMs);
        QVERIFY(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / "runner.log")));
        QCOMPARE(study::readTextFile(victim), std::string("the user's own"));
        std::filesystem::rename(folder, folder.string() + ".moved");
        std::filesystem::create_directory_symlink(folder.string() + ".moved", folder);
        const QString reason = run::startRunner(fixture.path());
        QVERIFY2(reason.contains(QStringLiteral("-logs: a link to ")), qPrintable(reason));
    }

    /// Whoever may write in the folder may hold the lock and name any process in it.
    void stopsNoProcessThatTheLockOnlyNames()
    {
        StudyFixture fixture({"work"});
        QProcess bystander;
        bystander.start(QStringLiteral("sleep"), {QStringLiteral("600")});
        QVERIFY(bystander.waitForStarted());
        const study::StudyLock lock(fixture.path());
        const QByteArray owner = QByteArrayLiteral("{\"runner\":{\"pid\":") +
                                 QByteArray::number(bystander.processId()) + ",\"host\":\"" +
                                 QSysInfo::machineHostName().toUtf8() + "\"}}\n";
        std::ofstream(study::journalPath(fixture.path()), std::ios::app) << owner.toStdString();
        QCOMPARE(study::lockOwner(fixture.path())->pid, static_cast<int>(bystander.processId()));
        QVERIFY(!run::requestStop(fixture.path()));
        QVERIFY(!bystander.waitForFinished(200));
        bystander.kill();
        bystander.waitForFinished();
    }

    void stopsWhenAsked()
    {
        StudyFixture fixture({"work", "hang with children"});
        QCOMPARE(run::startRunner(fixture.path()), QString());
        QVERIFY(run::startRunner(fixture.path()).contains(QStringLiteral("already being run")));
        QTRY_COMPARE_WITH_TIMEOUT(study::countRuns(fixture.load(), study::RunStatus::Done), 1, kPatienceMs);
        QVERIFY(run::requestStop(fixture.path()));
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(fixture), kPatienceMs);
        QCOMPARE(fixture.load().runs[1].status, study::RunStatus::Pending);
        QVERIFY(!std::filesystem::exists(study::journalPath(fixture.path())));
    }

    void survivesSigkillAtAnyMoment()
    {
        StudyFixture fixture(std::vector<std::string>(12, "children"));
        fixture.study().fixed["milliseconds"] = 40.0;
        fixture.save();
        QRandomGenerator random(20240601);
        int done = 0;
        for (int round = 0; round < 20 && done < 12; ++round) {
            QCOMPARE(run::startRunner(fixture.path()), QString());
            QTest::qSleep(static_cast<int>(random.bounded(150)));
            killRunner(fixture);
            QTRY_VERIFY_WITH_TIMEOUT(!isAlive(fixture), kPatienceMs);
            // The worker and all that it started are gone soon after, whatever session they moved to.
            QTRY_COMPARE_WITH_TIMEOUT(countWorkers(m_token), 0, kPatienceMs);
            const study::Study study = fixture.load();
            const int doneNow = study::countRuns(study, study::RunStatus::Done);
            QVERIFY2(doneNow >= done, "a finished run was lost");
            done = doneNow;
        }
        QCOMPARE(run::startRunner(fixture.path()), QString());
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(fixture), kPatienceMs);
        for (const study::Run& run : fixture.load().runs) {
            QCOMPARE(run.status, study::RunStatus::Done);
            QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
        }
    }

    void followerSeesEverything()
    {
        StudyFixture fixture({"work", "crash", "work"});
        run::Follower follower(fixture.path());
        QSignalSpy started(&follower, &run::Follower::runnerStarted);
        QSignalSpy ended(&follower, &run::Follower::runnerEnded);
        QSignalSpy progress(&follower, &run::Follower::progress);
        QSignalSpy sample(&follower, &run::Follower::sample);
        QSignalSpy log(&follower, &run::Follower::logLine);
        std::map<int, study::Run> last;
        connect(&follower, &run::Follower::runChanged, this,
                [&last](const study::Run& run) { last[run.id] = run; });
        follower.start();
        QVERIFY(!follower.isRunnerAlive());
        QVERIFY(last.empty());
        QCOMPARE(run::startRunner(fixture.path()), QString());
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kPatienceMs);
        QCOMPARE(started.count(), 1);
        QCOMPARE(ended[0][0].toString(), QStringLiteral("Finished: 2 runs done, 1 failed"));
        QCOMPARE(last.size(), std::size_t{3});
        for (const study::Run& run : fixture.load().runs)
            QVERIFY(last.at(run.id) == run);
        QCOMPARE(progress.count(), 2);
        QCOMPARE(sample.count(), 2);
        QCOMPARE(sample[0][1].toDouble(), 41.5);
        QVERIFY(log.count() >= 5);
    }

    void followerAttachesInTheMiddle()
    {
        StudyFixture fixture({"work", "work", "hang", "work"});
        QCOMPARE(run::startRunner(fixture.path()), QString());
        QTRY_COMPARE_WITH_TIMEOUT(study::countRuns(fixture.load(), study::RunStatus::Done), 2, kPatienceMs);
        run::Follower follower(fixture.path());
        std::map<int, study::Run> last;
        connect(&follower, &run::Follower::runChanged, this,
                [&last](const study::Run& run) { last[run.id] = run; });
        QSignalSpy sample(&follower, &run::Follower::sample);
        QSignalSpy ended(&follower, &run::Follower::runnerEnded);
        follower.start();
        QVERIFY(follower.isRunnerAlive());
        QTRY_COMPARE_WITH_TIMEOUT(last.size(), std::size_t{3}, kPatienceMs);
        QCOMPARE(last.at(1).results.at("speed"), test::trueSpeed(last.at(1)));
        QCOMPARE(last.at(2).status, study::RunStatus::Done);
        QCOMPARE(last.at(3).status, study::RunStatus::Running);
        QCOMPARE(sample.count(), 2);
        QVERIFY(run::requestStop(fixture.path()));
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kPatienceMs);
        QCOMPARE(last.at(3).status, study::RunStatus::Pending);
        QVERIFY2(ended[0][0].toString().startsWith(QStringLiteral("Stopped")),
                 qPrintable(ended[0][0].toString()));
    }

    void followerNoticesDeath()
    {
        StudyFixture fixture({"work", "hang"});
        QCOMPARE(run::startRunner(fixture.path()), QString());
        run::Follower follower(fixture.path());
        std::map<int, study::Run> last;
        connect(&follower, &run::Follower::runChanged, this,
                [&last](const study::Run& run) { last[run.id] = run; });
        QSignalSpy ended(&follower, &run::Follower::runnerEnded);
        follower.start();
        QTRY_VERIFY_WITH_TIMEOUT(last.contains(2) && last[2].status == study::RunStatus::Running,
                                 kPatienceMs);
        killRunner(fixture);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kPatienceMs);
        QVERIFY(ended[0][0].toString().contains(QStringLiteral("stopped unexpectedly")));
        QCOMPARE(last.at(2).status, study::RunStatus::Pending);
        QVERIFY(!follower.isRunnerAlive());
    }

    void followerLearnsOfNextRunner()
    {
        StudyFixture fixture({"work", "hang"});
        run::Follower follower(fixture.path());
        QSignalSpy started(&follower, &run::Follower::runnerStarted);
        QSignalSpy ended(&follower, &run::Follower::runnerEnded);
        follower.start();
        for (int round = 1; round <= 3; ++round) {
            QCOMPARE(run::startRunner(fixture.path()), QString());
            QTRY_COMPARE_WITH_TIMEOUT(started.count(), round, kPatienceMs);
            QVERIFY(run::requestStop(fixture.path()));
            QTRY_COMPARE_WITH_TIMEOUT(ended.count(), round, kPatienceMs);
        }
    }

    /// The runner takes the lock after the follower has looked at it, and tells so before it reads the
    /// events.
    void followerTakesNoNewRunnerForDead()
    {
        StudyFixture fixture({"work"});
        run::Follower follower(fixture.path());
        QSignalSpy ended(&follower, &run::Follower::runnerEnded);
        std::optional<study::StudyLock> lock;
        connect(&follower, &run::Follower::runnerStarted, this, [&] { lock.emplace(fixture.path()); });
        follower.start();
        run::EventWriter(fixture.path()).write(run::startedEvent(1, "host", 1));
        QTRY_VERIFY_WITH_TIMEOUT(lock.has_value(), kPatienceMs);
        QCOMPARE(ended.count(), 0);
        lock.reset();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kPatienceMs);
    }

private:
    QByteArray m_token;
};

QUADRIC_QT_TEST(BackgroundTest)
#include "background_test.moc"
