// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/follower.h"
#include "core/run/follow/runner_news.h"
#include "core/run/launch/launch.h"
#include "core/study/files/journal.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"

#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QTest>

using namespace quadric;
using test::StudyFixture;

namespace {

/// Nothing that executes it outlives the study on disk.
class ControlledStudy : public StudyFixture {
public:
    using StudyFixture::StudyFixture;
    ~ControlledStudy()
    {
        run::requestStop(path());
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(path()), kPatienceMs);
    }
};

study::RunStatus statusOf(const StudyFixture& fixture, int id)
{
    return study::findRun(fixture.load(), id)->status;
}

QByteArray answerTo(const StudyFixture& fixture, const QByteArray& line)
{
    QLocalSocket socket;
    socket.connectToServer(run::controlSocket(fixture.path()));
    if (!socket.waitForConnected(kPatienceMs))
        return "not connected";
    socket.write(line + '\n');
    while (!socket.canReadLine() && socket.waitForReadyRead(kPatienceMs))
        continue;
    return socket.readLine();
}

} // namespace

class ControlTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::useFakePrograms(); }

    void init() { m_token = test::markProcesses(); }

    void cleanup()
    {
        QTRY_COMPARE_WITH_TIMEOUT(test::processesWith(m_token.toStdString()).size(), std::size_t{0},
                                  kPatienceMs);
    }

    void wordsAndLinesAreRead()
    {
        for (const char* words :
             {"pause", "resume", "stop", "status", "cancel:4", "skip:0", "retry:12", "first:3"}) {
            const auto request = run::parseControlRequest(words);
            QVERIFY2(request, words);
            const auto again = run::readRequest(run::writeRequest(*request));
            QVERIFY2(again && again->action == request->action && again->run == request->run, words);
        }
        for (const char* words :
             {"", "pause:1", "cancel", "cancel:", "cancel:x", "cancel:1 ", "halt", "cancel:99999999999"})
            QVERIFY2(!run::parseControlRequest(words), words);
        for (const char* line :
             {"", "{", "[]", "{\"do\": 3}", "{\"do\": \"cancel\"}", "{\"do\": \"cancel\", \"run\": 1.5}"})
            QVERIFY2(!run::readRequest(line), line);
    }

    void pauseHoldsTheQueue()
    {
        ControlledStudy fixture({"slow", "work", "work"});
        startPaused(fixture, 1);
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(fixture, 1), study::RunStatus::Done, kPatienceMs);
        QTest::qWait(300);
        QCOMPARE(statusOf(fixture, 2), study::RunStatus::Pending);
        QVERIFY(run::readRunnerNews(fixture.path()).isPaused);
        ask("resume");
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(fixture, 3), study::RunStatus::Done, kPatienceMs);
    }

    void cancelIsAFailureAndTheRestGoesOn()
    {
        ControlledStudy fixture({"hang with children", "work"});
        m_fixture = &fixture;
        QCOMPARE(run::startRunner(fixture.path()), QString());
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(fixture, 1), study::RunStatus::Running, kPatienceMs);
        ask("cancel:1");
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(fixture, 2), study::RunStatus::Done, kPatienceMs);
        const study::Study study = fixture.load();
        QCOMPARE(study.runs[0].status, study::RunStatus::Failed);
        QCOMPARE(study.runs[0].failure->kind, std::string("cancelled"));
    }

    void skippedRunsStayPending()
    {
        ControlledStudy fixture({"hang", "work", "work"});
        startPaused(fixture, 1);
        ask("skip:2");
        ask("skip:1");
        ask("resume");
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
        QCOMPARE(statusOf(fixture, 1), study::RunStatus::Pending);
        QCOMPARE(statusOf(fixture, 2), study::RunStatus::Pending);
        QCOMPARE(statusOf(fixture, 3), study::RunStatus::Done);
    }

    void firstAndRetryChangeTheQueue()
    {
        ControlledStudy fixture({"memory", "slow", "work", "work"});
        startPaused(fixture, 2);
        ask("first:4");
        ask("retry:1");
        QCOMPARE(run::readRunnerNews(fixture.path()).queue, (std::vector<int>{4, 3, 1}));
        ask("resume");
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
        QCOMPARE(study::countRuns(fixture.load(), study::RunStatus::Done), 3);
    }

    void aDoneRunKeepsItsResultUntilThereIsAnother()
    {
        ControlledStudy fixture({"first good", "hang"});
        startPaused(fixture, 2);
        const study::Run before = fixture.load().runs[0];
        QCOMPARE(before.status, study::RunStatus::Done);
        ask("retry:1"); // the second time its worker fails
        ask("skip:2");
        ask("resume");
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
        QVERIFY(fixture.load().runs[0] == before);
    }

    void stopsAPausedRunner()
    {
        ControlledStudy fixture({"slow", "work"});
        startPaused(fixture, 1);
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(fixture, 1), study::RunStatus::Done, kPatienceMs);
        ask("stop");
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
        QCOMPARE(statusOf(fixture, 2), study::RunStatus::Pending);
    }

    void refusesInWords()
    {
        ControlledStudy fixture({"hang", "work"});
        startPaused(fixture, 1);
        const auto refusal = [&](const char* words) {
            const run::ControlReply reply = run::ask(fixture.path(), *run::parseControlRequest(words));
            return reply.isDone ? QStringLiteral("done") : reply.message;
        };
        QVERIFY2(refusal("cancel:9").contains(QStringLiteral("no run 9")), qPrintable(refusal("cancel:9")));
        QVERIFY(refusal("cancel:2").contains(QStringLiteral("Run 2 is pending")));
        QVERIFY(refusal("retry:2").contains(QStringLiteral("in the queue already")));
        QVERIFY(refusal("first:1").contains(QStringLiteral("Run 1 is running")));
        ControlledStudy idle({"work"});
        const run::ControlReply nobody = run::ask(idle.path(), {run::ControlAction::Pause, 0});
        QVERIFY(!nobody.isDone);
        QVERIFY2(nobody.message.contains(QStringLiteral("No runner")), qPrintable(nobody.message));
    }

    void nobodyElseMayEnter()
    {
        ControlledStudy fixture({"hang"});
        startPaused(fixture, 1);
        const QFileInfo socket(run::controlSocket(fixture.path()));
        QVERIFY(socket.exists());
        const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther |
                            QFile::WriteOther | QFile::ExeOther;
        QVERIFY(!(socket.permissions() & others));
        QVERIFY(!(QFileInfo(socket.path()).permissions() & others));
    }

    void strangersAreAnswered()
    {
        ControlledStudy fixture({"hang"});
        startPaused(fixture, 1);
        QVERIFY(answerTo(fixture, "GET / HTTP/1.0").contains("not understood"));
        QVERIFY(answerTo(fixture, QByteArray(3000, 'x')).contains("not understood"));
        QLocalSocket flood;
        flood.connectToServer(run::controlSocket(fixture.path()));
        QVERIFY(flood.waitForConnected(kPatienceMs));
        flood.write(QByteArray(1 << 20, 'x'));
        QTRY_COMPARE_WITH_TIMEOUT(flood.state(), QLocalSocket::UnconnectedState, kPatienceMs);
        QVERIFY(answerTo(fixture, R"({"do": "status"})").contains("\"done\":true"));
    }

    /// At each point where the runner rests, a follower that was there all the time, one that has just come
    /// and a reader of the files see the same.
    void everybodySeesTheSame()
    {
        ControlledStudy fixture({"work", "hang", "work", "work"});
        run::Follower early(fixture.path());
        early.start();
        startPaused(fixture, 2);
        for (const char* words : {"status", "first:4", "skip:3", "retry:1", "resume"}) {
            ask(words);
            const run::RunnerNews told = run::readRunnerNews(fixture.path());
            QTRY_VERIFY2_WITH_TIMEOUT(early.news() == told, words, kPatienceMs);
            run::Follower late(fixture.path());
            late.start();
            QVERIFY2(late.news() == told, words);
            QVERIFY2(told.active.contains(2) && told.active.size() == 1, words);
        }
        QCOMPARE(early.news().queue, (std::vector<int>{4, 1}));
        ask("stop");
        QTRY_VERIFY_WITH_TIMEOUT(!early.isRunnerAlive(), kPatienceMs);
        QVERIFY(early.news() == run::RunnerNews{});
    }

private:
    /// Starts a runner and waits until run `active` is in progress; then pauses it.
    void startPaused(StudyFixture& fixture, int active)
    {
        m_fixture = &fixture;
        const test::WorkerHold hold;
        QCOMPARE(run::startRunner(fixture.path()), QString());
        QTRY_COMPARE_WITH_TIMEOUT(statusOf(fixture, active), study::RunStatus::Running, kPatienceMs);
        ask("pause");
    }

    void ask(const char* words)
    {
        const run::ControlReply reply = run::ask(m_fixture->path(), *run::parseControlRequest(words));
        QVERIFY2(reply.isDone, qPrintable(reply.message));
    }

    QByteArray m_token;
    const StudyFixture* m_fixture = nullptr;
};

QUADRIC_QT_TEST(ControlTest)
#include "control_test.moc"
