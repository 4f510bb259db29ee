// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/runner.h"

#include "core/run/follow/follower.h"
#include "core/run/recipe/approval.h"
#include "core/run/recipe/recipe.h"
#include "core/run/words/events.h"
#include "core/run/words/run_files.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <optional>

using namespace quadric;
using test::StudyFixture;

namespace {

/// Executes the study in this process and waits for the end.
class Execution {
public:
    explicit Execution(const StudyFixture& fixture, const run::RunnerOptions& options = {})
        : m_runner(fixture.path(), options)
    {
        QObject::connect(&m_runner, &run::Runner::ended,
                         [this](const run::RunnerSummary& summary) { m_summary = summary; });
        QObject::connect(&m_runner, &run::Runner::eventWritten, [this](const QByteArray& event) {
            events << QJsonDocument::fromJson(event).object();
        });
        m_runner.start();
    }

    run::Runner& runner() { return m_runner; }
    bool hasEnded() const { return m_summary.has_value(); }
    const run::RunnerSummary& summary() const { return *m_summary; }

    int count(const QString& event) const
    {
        return static_cast<int>(
            std::count_if(events.begin(), events.end(), [&event](const QJsonObject& object) {
                return object[QLatin1String("event")].toString() == event;
            }));
    }

    QList<QJsonObject> events;

private:
    run::Runner m_runner;
    std::optional<run::RunnerSummary> m_summary;
};

} // namespace

namespace {

/// A study with a command of its own, approved.
void makeCommand(StudyFixture& fixture, const std::vector<std::string>& argv, const std::string& folder = {})
{
    fixture.study().benchmark.workload = "command";
    fixture.study().benchmark.argv = argv;
    fixture.study().benchmark.cwd = folder;
    fixture.study().benchmark.parse = {.kind = study::ParseSpec::Kind::Regex,
                                       .patterns = {{"speed", "^speed: ([0-9.]+)$"}}};
    fixture.save();
    run::ApprovalRequest(fixture.study(), fixture.path()).approve();
}

run::RunnerOptions inCaseOf(run::OnFailures what)
{
    run::RunnerOptions options;
    options.onFailures = what;
    return options;
}

} // namespace

class RunnerTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker")); }

    void init() { test::markProcesses(); }

    void everyRunGetsItsOwnResult()
    {
        StudyFixture fixture({"work", "work", "simulated"});
        Execution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 3);
        const study::Study study = fixture.load();
        for (const study::Run& run : study.runs) {
            QCOMPARE(run.status, study::RunStatus::Done);
            QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
            QCOMPARE(run.results.at("extra"), 7.0);
            QCOMPARE(run.spread.at("speed"), 0.5);
        }
        QCOMPARE(study.runs[0].provenance.source, study::Source::Measured);
        QCOMPARE(study.runs[2].provenance.source, study::Source::Simulated);
        QVERIFY(study.runs[0].provenance.device.value().name.find("fake") != std::string::npos);
        QVERIFY(!std::filesystem::exists(study::journalPath(fixture.path())));
        QVERIFY(!study::lockOwner(fixture.path()));
        QVERIFY(test::textOf(run::logPath(fixture.path(), 1))
                    .contains(QStringLiteral("a word on standard error")));
        QCOMPARE(execution.count(QStringLiteral("run-done")), 3);
        QCOMPARE(execution.events.last()[QLatin1String("reason")].toString(), QStringLiteral("finished"));
    }

    void runsInStoredOrder()
    {
        StudyFixture fixture({"work", "work", "work"});
        for (int i = 0; i < 3; ++i)
            fixture.study().runs[static_cast<std::size_t>(i)].order = 3 - i;
        fixture.study().runs[0].status = study::RunStatus::Running; // left by a runner that died
        fixture.save();
        Execution execution(fixture);
        QList<int> started;
        connect(&execution.runner(), &run::Runner::runRecorded, this, [&started](const study::Run& run) {
            if (run.status == study::RunStatus::Running)
                started << run.id;
        });
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(started, QList<int>({3, 2, 1}));
    }

    void failuresHaveTheirKind_data()
    {
        QTest::addColumn<QString>("behave");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("words");
        QTest::newRow("crash") << "crash"
                               << "crash"
                               << "SIGSEGV";
        QTest::newRow("exit status") << "exit"
                                     << "exit-status"
                                     << "Exit status 3. Last line: no license";
        QTest::newRow("not a number") << "nan"
                                      << "non-finite"
                                      << "\"speed\"";
        QTest::newRow("missing") << "missing"
                                 << "missing-result"
                                 << "No value found for speed (found: extra, pace)";
        QTest::newRow("silent") << "silent"
                                << "missing-result"
                                << "without a result";
        QTest::newRow("says so itself") << "memory"
                                        << "out-of-memory"
                                        << "needs 9 GiB";
    }

    void failuresHaveTheirKind()
    {
        QFETCH(QString, behave);
        QFETCH(QString, kind);
        QFETCH(QString, words);
        StudyFixture fixture({behave.toStdString(), "work"});
        Execution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        const study::Study study = fixture.load();
        QCOMPARE(QString::fromStdString(test::failureKind(study, 1)), kind);
        const QString message = QString::fromStdString(study.runs[0].failure->message);
        QVERIFY2(message.contains(words), qPrintable(message));
        QCOMPARE(study.runs[1].status, study::RunStatus::Done); // one failure does not stop the others
        QCOMPARE(execution.summary().failed, 1);
    }

    void floodIsCutAndHarmless()
    {
        StudyFixture fixture({"flood"});
        Execution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
        const auto size = std::filesystem::file_size(run::logPath(fixture.path(), 1));
        QVERIFY(size <= run::RunLog::kMostBytes);
        QVERIFY(test::textOf(run::logPath(fixture.path(), 1))
                    .contains(QString(1000, QLatin1Char('y')))); // printed last
        QVERIFY(std::filesystem::file_size(run::eventsPath(fixture.path())) < 1 << 20);
    }

    void limitOfTimeEndsAWholeFamily()
    {
        StudyFixture fixture({"hang with children", "deaf", "work"});
        fixture.study().benchmark.timeoutSeconds = 0.5;
        fixture.save();
        Execution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        const study::Study study = fixture.load();
        QCOMPARE(test::failureKind(study, 1), std::string("timeout"));
        QCOMPARE(test::failureKind(study, 2), std::string("timeout"));
        QVERIFY(study.runs[1].failure->message.starts_with("No result within 0.5 s"));
        QCOMPARE(study.runs[2].status, study::RunStatus::Done);
        const QByteArray token = qgetenv("QUADRIC_TEST_TOKEN");
        QCOMPARE(test::processesWith(token.toStdString()).size(), std::size_t{0});
    }

    void childrenOfAWorkerEndWithIt()
    {
        StudyFixture fixture({"children"});
        Execution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
        const QByteArray token = qgetenv("QUADRIC_TEST_TOKEN");
        QCOMPARE(test::processesWith(token.toStdString()).size(), std::size_t{0});
    }

    void stopPutsTheRunBack()
    {
        StudyFixture fixture({"work", "hang with children", "work"});
        Execution execution(fixture);
        QTRY_COMPARE_WITH_TIMEOUT(execution.count(QStringLiteral("run-started")), 2, kPatienceMs);
        const QByteArray token = qgetenv("QUADRIC_TEST_TOKEN");
        QTRY_COMPARE_WITH_TIMEOUT(test::processesWith(token.toStdString()).size(), std::size_t{5},
                                  kPatienceMs);
        // News arrive while the worker runs, not when it has ended.
        QTRY_COMPARE_WITH_TIMEOUT(execution.count(QStringLiteral("sample")), 2, kPatienceMs);
        execution.runner().stop();
        execution.runner().stop(); // a second time changes nothing
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QVERIFY(execution.summary().isStopped);
        const study::Study study = fixture.load();
        QCOMPARE(study.runs[0].status, study::RunStatus::Done);
        QCOMPARE(study.runs[1].status, study::RunStatus::Pending);
        QCOMPARE(study.runs[2].status, study::RunStatus::Pending);
        QVERIFY(study.runs[1].provenance == study::Provenance{});
        QCOMPARE(test::processesWith(token.toStdString()).size(), std::size_t{0});
    }

    void onlyChosenRunsAndRetries()
    {
        StudyFixture fixture({"work", "work", "work"});
        fixture.study().runs[2].status = study::RunStatus::Failed;
        fixture.study().runs[2].failure = study::Failure{"crash", "earlier"};
        fixture.save();
        run::RunnerOptions options;
        options.only = {2, 3};
        {
            Execution execution(fixture, options);
            QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        }
        QCOMPARE(fixture.load().runs[0].status, study::RunStatus::Pending);
        QCOMPARE(fixture.load().runs[1].status, study::RunStatus::Done);
        QCOMPARE(fixture.load().runs[2].status, study::RunStatus::Failed);
        options.retryFailed = true;
        Execution execution(fixture, options);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
        QCOMPARE(fixture.load().runs[2].status, study::RunStatus::Done);
        QVERIFY(!fixture.load().runs[2].failure);
        options.only = {9};
        QVERIFY_EXCEPTION_THROWN(run::Runner(fixture.path(), options), run::RecipeError);
    }

    void missingProgramIsAFailedRun()
    {
        StudyFixture fixture({"work"});
        QTemporaryDir config;
        qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
        fixture.study().benchmark.workload = "command";
        fixture.study().benchmark.argv = {"./no such program", "{a}"};
        fixture.save();
        run::ApprovalRequest(fixture.study(), fixture.path()).approve();
        Execution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(test::failureKind(fixture.load(), 1), std::string("not-found"));
        QVERIFY(fixture.load().runs[0].failure->message.find("no such program") != std::string::npos);
    }

    void whatCannotBeStartedStopsAfterTheFirstRun_data()
    {
        QTest::addColumn<QStringList>("argv");
        QTest::addColumn<QString>("folder");
        QTest::newRow("no such program") << QStringList{"./no such program", "{a}"} << "";
        QTest::newRow("not on the path") << QStringList{"no_such_program_at_all", "{a}"} << "";
        QTest::newRow("may not be executed") << QStringList{"/etc/passwd", "{a}"} << "";
        QTest::newRow("no such folder") << QStringList{"/bin/true", "{a}"} << "no such folder";
        QTest::newRow("not found by a shell") << QStringList{"/bin/sh", "-c", "no_such_program_at_all"} << "";
    }

    void whatCannotBeStartedStopsAfterTheFirstRun()
    {
        QFETCH(QStringList, argv);
        QFETCH(QString, folder);
        StudyFixture fixture({"work", "work", "work", "work"});
        QTemporaryDir config;
        qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
        std::vector<std::string> words;
        for (const QString& word : argv)
            words.push_back(word.toStdString());
        makeCommand(fixture, words, folder.toStdString());
        Execution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().failed, 1);
        QCOMPARE(execution.summary().pending, 3);
        QVERIFY(execution.summary().isStopped);
        const QString told = QString::fromStdString(execution.summary().inWords());
        QVERIFY2(
            told.startsWith(QStringLiteral("Stopped: 0 runs done, 1 failed, 3 pending. Run 1 failed, and the "
                                           "others would fail in the same way: ")),
            qPrintable(told));
        QCOMPARE(execution.events.last()[QLatin1String("reason")].toString(), QStringLiteral("stopped"));
    }

    /// The others start something else.
    void aProgramOfOneLevelStopsNothing()
    {
        StudyFixture fixture({"crash", "work", "work"});
        QTemporaryDir config;
        qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
        const std::filesystem::path program = fixture.path().parent_path() / "do-work";
        QVERIFY(QFile::copy(QStringLiteral("/bin/echo"), QString::fromStdString(program.string())));
        makeCommand(fixture, {"./do-{behave}", "speed: {a}"});
        Execution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(test::failureKind(fixture.load(), 1), std::string("not-found"));
        QCOMPARE(execution.summary().done, 2);
    }

    void equalFailuresStopTheQueue()
    {
        StudyFixture fixture({"exit", "exit", "work", "exit", "exit", "exit", "work", "work"});
        Execution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
        QCOMPARE(execution.summary().failed, 5);
        QCOMPARE(execution.summary().pending, 2);
        QVERIFY(QString::fromStdString(execution.summary().inWords())
                    .contains(QStringLiteral("3 runs in a row failed in the same way: ")));
    }

    void equalFailuresAreAskedAbout()
    {
        StudyFixture fixture(
            {"exit", "exit", "exit", "exit", "exit", "work", "exit", "exit", "exit", "work"});
        Execution execution(fixture, inCaseOf(run::OnFailures::Pause));
        QTRY_COMPARE_WITH_TIMEOUT(execution.count(QStringLiteral("paused")), 1, kPatienceMs);
        const auto paused = std::ranges::find_if(execution.events, [](const QJsonObject& event) {
            return event[QLatin1String("event")].toString() == QStringLiteral("paused");
        });
        QVERIFY((*paused)[QLatin1String("reason")].toString().startsWith(QStringLiteral("3 runs in a row ")));
        QVERIFY(execution.runner()
                    .handle({run::ControlAction::Status})
                    .message.contains(QStringLiteral("in a row")));
        QCOMPARE(execution.count(QStringLiteral("run-failed")), 3);
        execution.runner().handle({run::ControlAction::Resume});
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.count(QStringLiteral("paused")), 1); // whoever goes on is not asked again
        QCOMPARE(execution.summary().done, 2);
        QCOMPARE(execution.summary().failed, 8);
    }

    void whoeverWantsToGoesOn()
    {
        StudyFixture fixture({"exit", "exit", "exit", "exit", "work"});
        Execution execution(fixture, inCaseOf(run::OnFailures::GoOn));
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().failed, 4);
        QCOMPARE(execution.summary().done, 1);
        QCOMPARE(execution.count(QStringLiteral("paused")), 0);
    }

    /// Two runs in two rounds of one each; the second one fails, which is a result too.
    void furtherRunsAreAskedForUntilThereAreNone()
    {
        StudyFixture fixture({"work"});
        std::vector<int> doneWhenAsked;
        run::RunnerOptions options;
        options.onFailures = run::OnFailures::GoOn;
        options.furtherRuns = [&doneWhenAsked](const study::Study& study) {
            doneWhenAsked.push_back(study::countRuns(study, study::RunStatus::Done));
            const std::string behave = doneWhenAsked.size() == 1 ? "work" : "memory";
            const study::Settings settings{{"a", 20.0}, {"b", 3.0}, {"behave", behave}};
            study::Study after = study::withRuns(study, {settings}, study::RunKind::Augment);
            return doneWhenAsked.size() > 2 ? std::vector<study::Run>() : std::vector{after.runs.back()};
        };
        Execution execution(fixture, options);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(doneWhenAsked, (std::vector<int>{1, 2, 2}));
        QCOMPARE(execution.count(QStringLiteral("run-added")), 2);
        QCOMPARE(execution.summary().failed, 1);
        const study::Study study = fixture.load();
        QCOMPARE(study.runs.size(), std::size_t(3));
        QCOMPARE(study.runs[1].kind, study::RunKind::Augment);
        QCOMPARE(study.runs[1].results.at("speed"), test::trueSpeed(study.runs[1]));
        QCOMPARE(test::failureKind(study, 3), std::string("out-of-memory"));
        QVERIFY(!std::filesystem::exists(study::journalPath(fixture.path())));
    }

    void stoppedItAsksForNoFurtherRuns()
    {
        StudyFixture fixture({"slow"});
        const test::WorkerHold hold;
        int asked = 0;
        run::RunnerOptions options;
        options.furtherRuns = [&asked](const study::Study&) {
            ++asked;
            return std::vector<study::Run>();
        };
        Execution execution(fixture, options);
        QTRY_COMPARE_WITH_TIMEOUT(execution.count(QStringLiteral("run-started")), 1, kPatienceMs);
        execution.runner().stop();
        hold.letGo();
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(asked, 0);
        QVERIFY(execution.summary().isStopped);
    }

    void nothingIsDoneWithoutAWorkload()
    {
        StudyFixture fixture({"work"});
        fixture.study().benchmark.workload = "none";
        fixture.save();
        try {
            run::Runner runner(fixture.path(), {});
            QFAIL("expected an error");
        } catch (const run::RecipeError& error) {
            QVERIFY(std::string(error.what()).find("nothing to execute") != std::string::npos);
        }
        QVERIFY(!study::lockOwner(fixture.path()));
    }

    void ownCommandNeedsApproval()
    {
        StudyFixture fixture({"work", "work"});
        QTemporaryDir config;
        qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
        // A value with everything a shell would trip over stays one argument.
        fixture.study().fixed["remark"] = std::string("$(touch /tmp/x); 'a' \"b\" *");
        fixture.study().benchmark.workload = "command";
        fixture.study().benchmark.argv = {"/usr/bin/printf", "<%s>\\nspeed: %s\\n", "{remark}", "{a}"};
        fixture.study().benchmark.parse = {.kind = study::ParseSpec::Kind::Regex,
                                           .patterns = {{"speed", "^speed: ([0-9.]+)$"}}};
        fixture.save();
        QVERIFY_EXCEPTION_THROWN(run::Runner(fixture.path(), {}), run::ApprovalError);
        QCOMPARE(fixture.load().runs[0].status, study::RunStatus::Pending);
        run::ApprovalRequest(fixture.study(), fixture.path()).approve();
        run::RunnerOptions options;
        options.only = {1};
        {
            Execution execution(fixture, options);
            QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        }
        QCOMPARE(fixture.load().runs[0].results.at("speed"), 1.0);
        QVERIFY(test::textOf(run::logPath(fixture.path(), 1))
                    .contains(QStringLiteral("<$(touch /tmp/x); 'a' \"b\" *>")));
        {
            Execution execution(fixture); // approved: it may run again
            QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        }
        QCOMPARE(fixture.load().runs[1].results.at("speed"), 2.0);
    }

    void secondRunnerIsRefused()
    {
        StudyFixture fixture({"work"});
        Execution execution(fixture);
        QVERIFY_EXCEPTION_THROWN(run::Runner(fixture.path(), {}), study::DocumentError);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
    }
};

QUADRIC_QT_TEST(RunnerTest)
#include "runner_test.moc"
