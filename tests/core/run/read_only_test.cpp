// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a study turns read-only while runs are measured: nothing is lost, and it goes on afterwards.
#include "core/run/follow/follower.h"
#include "core/run/follow/runner_news.h"
#include "core/run/launch/launch.h"
#include "core/run/words/run_files.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "read_only_folder.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QTest>

#include <csignal>

using namespace quadric;
using test::StudyFixture;

namespace {

/// A study in a folder that can be made read-only for its runner, whatever rights that has.
class ReadOnlyStudy : public StudyFixture {
public:
    explicit ReadOnlyStudy(const std::vector<std::string>& behaviors)
        : StudyFixture(behaviors)
        , m_lock(path().parent_path())
    {
        qputenv("XDG_STATE_HOME", m_state.path().toUtf8());
    }
    ~ReadOnlyStudy()
    {
        makeReadOnly(false);
        run::requestStop(path());
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(path()), kPatienceMs);
    }

    void makeReadOnly(bool isReadOnly) const { m_lock.set(isReadOnly); }

    void start() const
    {
        qputenv("LD_PRELOAD", builtPath("tests/core/run/libread_only_shim.so"));
        const QString reason = run::startRunner(path());
        qunsetenv("LD_PRELOAD");
        QCOMPARE(reason, QString());
    }

    /// Run 2 is done while nothing can be written.
    void finishRun2ReadOnly() const
    {
        start();
        QTRY_COMPARE_WITH_TIMEOUT(load().runs[1].status, study::RunStatus::Running, kPatienceMs);
        makeReadOnly(true);
        m_hold.letGo();
        QTRY_VERIFY_WITH_TIMEOUT(answer().startsWith(QStringLiteral("Waiting: ")), kPatienceMs);
    }

    QString answer() const { return run::ask(path(), {run::ControlAction::Status, 0}).message; }

    void expectAllDone() const
    {
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(path()), kPatienceMs);
        for (const study::Run& run : load().runs) {
            QCOMPARE(run.status, study::RunStatus::Done);
            QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
        }
    }

private:
    test::ReadOnlyFolder m_lock;
    test::WorkerHold m_hold;
    QTemporaryDir m_state;
};

} // namespace

class ReadOnlyTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::useFakePrograms(); }

    void goesOnWhenItCanBeWrittenAgain()
    {
        ReadOnlyStudy experiment({"work", "slow", "work", "work"});
        experiment.finishRun2ReadOnly();
        const QString words = experiment.answer();
        QVERIFY2(words.contains(QStringLiteral("Read-only file system")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("results are only in memory")), qPrintable(words));
        QCOMPARE(experiment.load().runs[2].status, study::RunStatus::Pending); // nothing was started in vain
        experiment.makeReadOnly(false);
        experiment.expectAllDone();
    }

    /// The events and the journal say nothing.
    void saysItToWhoeverAsks()
    {
        ReadOnlyStudy experiment({"work", "slow", "work"});
        run::Follower follower(experiment.path());
        QString told;
        connect(&follower, &run::Follower::problemChanged,
                [&told](const QString& problem) { told = problem; });
        follower.start();
        experiment.finishRun2ReadOnly();
        const run::ControlReply reply = run::ask(experiment.path(), {run::ControlAction::Status, 0});
        const QString said = QString::fromStdString(run::describeStudyProblem(
            experiment.path(), run::readRunnerNews(experiment.path()), true, reply.problem.toStdString()));
        for (const char* part : {"Read-only file system", "results are only in memory", "writable again: "})
            QVERIFY2(said.contains(QLatin1String(part)), qPrintable(said));
        QTRY_COMPARE_WITH_TIMEOUT(told, said, kPatienceMs);
        experiment.makeReadOnly(false);
        experiment.expectAllDone();
        QTRY_COMPARE_WITH_TIMEOUT(told, QString(), kPatienceMs);
    }

    void whatAKilledRunnerHadInMemoryIsMeasuredAgain()
    {
        ReadOnlyStudy experiment({"work", "slow", "work"});
        experiment.finishRun2ReadOnly();
        const auto owner = study::lockOwner(experiment.path());
        QVERIFY(owner && ::kill(owner->pid, SIGKILL) == 0);
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(experiment.path()), kPatienceMs);
        QCOMPARE(experiment.load().runs[1].status, study::RunStatus::Running); // as far as the study knows
        experiment.makeReadOnly(false);
        experiment.start();
        experiment.expectAllDone();
    }

    void aStoppedRunnerLeavesAllResultsInTheStateFolder()
    {
        ReadOnlyStudy experiment({"work", "slow", "work"});
        experiment.finishRun2ReadOnly();
        QVERIFY(run::requestStop(experiment.path()));
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(experiment.path()), kPatienceMs);
        const auto recovered = run::findRecovered(experiment.path());
        QVERIFY(recovered && recovered->parent_path() != experiment.path().parent_path());
        const study::Study study = study::loadStudy(*recovered).study;
        for (const int i : {0, 1}) {
            QCOMPARE(study.runs[i].status, study::RunStatus::Done);
            QCOMPARE(study.runs[i].results.at("speed"), test::trueSpeed(study.runs[i]));
        }
        QVERIFY(QString::fromStdString(run::describeStudyProblem(experiment.path(), {}, false, {}))
                    .contains(QString::fromStdString(recovered->string())));
        experiment.makeReadOnly(false);
        experiment.start();
        experiment.expectAllDone();
    }
};

QUADRIC_QT_TEST(ReadOnlyTest)
#include "read_only_test.moc"
