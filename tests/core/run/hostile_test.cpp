// SPDX-License-Identifier: GPL-3.0-or-later
// Clocks that jump, workers that flood, lie, linger and are killed: the experiment goes on.
#include "core/run/launch/launch.h"
#include "core/run/runner/runner.h"
#include "core/run/words/run_files.h"
#include "core/run/worker/run_policy.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "core/study/run.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <fstream>
#include <optional>
#include <unistd.h>

using namespace quadric;
using test::execute;
using test::StudyFixture;

namespace {

double residentMib()
{
    std::ifstream file("/proc/self/statm");
    double size = 0.0, resident = 0.0;
    file >> size >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576.0;
}

} // namespace

class HostileTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::useFakePrograms(); }

    void init() { m_token = test::markProcesses(); }

    void cleanup()
    {
        QTRY_COMPARE_WITH_TIMEOUT(test::processesWith(m_token.toStdString()).size(), std::size_t{0},
                                  kPatienceMs);
    }

    void crashIsTriedOnceMore()
    {
        StudyFixture fixture({"crash once", "work", "crash"});
        const run::RunnerSummary summary = execute(fixture.path());
        QCOMPARE(summary.done, 2);
        QCOMPARE(summary.failed, 1);
        const study::Study study = fixture.load();
        QCOMPARE(study.runs[0].status, study::RunStatus::Done);
        const std::string& earlier = study.runs[0].provenance.earlierFailure.value().message;
        QVERIFY2(earlier.find("SIGSEGV") != earlier.npos, earlier.c_str());
        QCOMPARE(study.runs[0].provenance.attempt, std::optional<int>(2));
        QCOMPARE(study.runs[1].provenance.attempt, std::optional<int>(1));
        QCOMPARE(test::failureKind(study, 3), std::string("crash"));
        fixture.study().benchmark.retry = {.crash = 0};
        fixture.save();
        QCOMPARE(execute(fixture.path()).failed, 1); // the marks of the first attempts are still there
    }

    void disturbedIsMeasuredAgainAtTheEnd()
    {
        StudyFixture fixture({"disturbed", "work"});
        QList<int> started;
        run::Runner runner(fixture.path(), {});
        std::optional<run::RunnerSummary> summary;
        connect(&runner, &run::Runner::ended, this,
                [&summary](const run::RunnerSummary& atTheEnd) { summary = atTheEnd; });
        connect(&runner, &run::Runner::eventWritten, this, [&started](const QByteArray& event) {
            if (event.startsWith(R"({"event":"run-started")"))
                started << (event.contains(R"("id":1,)") ? 1 : 2);
        });
        runner.start();
        QTRY_VERIFY_WITH_TIMEOUT(summary.has_value(), kPatienceMs);
        QCOMPARE(started, QList<int>({1, 2, 1}));
        QCOMPARE(summary->done, 2);
        QCOMPARE(fixture.load().runs[0].provenance.disturbed, std::optional<bool>(false));
    }

    /// Of five that are disturbed, the first two were to be repeated.
    void aMachineInUseIsSaidOnceAndNothingIsRepeated()
    {
        StudyFixture fixture({"in use", "in use", "in use", "in use", "in use"});
        const run::RunnerSummary summary = execute(fixture.path());
        QCOMPARE(QString::fromStdString(summary.inWords()),
                 QStringLiteral("Finished: 5 runs done. This machine is in use (others used 3 % of it): "
                                "disturbed runs are marked and no longer repeated."));
        for (const study::Run& run : fixture.load().runs) {
            QCOMPARE(run.provenance.attempt, std::optional(1));
            QVERIFY(run.provenance.repeats.empty());
            QVERIFY(study::isDisturbed(run));
            QVERIFY(!run::needsRepetition(run));
        }
        QCOMPARE(QString::fromStdString(execute(fixture.path()).inWords()),
                 QStringLiteral("Nothing to do: no run is pending"));
    }

    void aRunnerThatWasHaltedMarksItsRun()
    {
        StudyFixture fixture({"work"});
        fixture.study().fixed["milliseconds"] = 3000.0;
        fixture.study().benchmark.retry = {.disturbed = 0};
        fixture.save();
        QProcess runner;
        runner.start(QString::fromUtf8(builtPath("bin/runner_process")),
                     {QStringLiteral("run"), QString::fromStdString(fixture.path().string()),
                      QStringLiteral("--events")});
        QTRY_VERIFY_WITH_TIMEOUT(runner.bytesAvailable() > 0, kPatienceMs); // "started 1"
        QTest::qWait(500);
        ::kill(static_cast<pid_t>(runner.processId()), SIGSTOP);
        QTest::qWait(1700);
        ::kill(static_cast<pid_t>(runner.processId()), SIGCONT);
        QVERIFY(runner.waitForFinished(kPatienceMs));
        const study::Run run = fixture.load().runs[0];
        QVERIFY(study::isDisturbed(run));
        QVERIFY(study::disturbanceOf(run).starts_with("this machine or its watcher stood still for"));
    }

    void policyIsChecked()
    {
        StudyFixture fixture({"work"});
        for (const auto& [key, text] : std::map<std::string, std::string>{
                 {"retry", "3"}, {"memory_mib", "-1"}, {"output_mib", "\"much\""}}) {
            fixture.study().benchmark.unknown = {{key, text}};
            fixture.save();
            QVERIFY_EXCEPTION_THROWN(run::Runner(fixture.path(), {}), run::RecipeError);
        }
        fixture.study().benchmark.unknown = {{"retry", R"({"crash": 1.5})"}};
        fixture.save();
        QVERIFY_EXCEPTION_THROWN(run::Runner(fixture.path(), {}), run::RecipeError);
        fixture.study().benchmark.unknown = {};
        fixture.study().benchmark.retry = {.crash = 2};
        fixture.study().benchmark.memoryMib = 4096;
        fixture.save();
        const study::LoadedStudy loaded = study::loadStudy(fixture.path());
        QVERIFY2(loaded.warnings.empty(), "the keys of the policy are known");
        QVERIFY(loaded.study == fixture.study());
    }

    void memoryHasALimit()
    {
        StudyFixture fixture({"eater", "work"});
        fixture.study().benchmark.memoryMib = 100;
        fixture.save();
        QCOMPARE(execute(fixture.path()).done, 1);
        const study::Study study = fixture.load();
        QCOMPARE(test::failureKind(study, 1), std::string("out-of-memory"));
        QVERIFY(study.runs[0].failure->message.find("the limit is 100 MiB") != std::string::npos);
    }

    /// Six processes have the same 200 MiB: by what each of them has, 1200.
    void sharedMemoryCountsOnce()
    {
        StudyFixture fixture({"sharer"});
        fixture.study().fixed["milliseconds"] = 1500.0;
        fixture.study().benchmark.memoryMib = 600;
        fixture.save();
        QCOMPARE(execute(fixture.path()).done, 1);
        fixture.study().benchmark.memoryMib = 190;
        fixture.save();
        QCOMPARE(execute(fixture.path()).failed, 1);
        const study::Study study = fixture.load();
        QCOMPARE(test::failureKind(study, 1), std::string("out-of-memory"));
        const std::string words = study.runs[0].failure->message;
        int used = 0;
        QVERIFY2(std::sscanf(words.c_str(), "The program used %d MiB", &used) == 1 && used <= 260,
                 words.c_str());
    }

    void theKernelEndsAWorkerForMemory()
    {
        QTemporaryDir machine;
        const std::filesystem::path root = machine.path().toStdString();
        const std::filesystem::path counter = root / "sys/fs/cgroup/jobs/memory.events";
        std::filesystem::create_directories(root / "proc/self");
        std::filesystem::create_directories(counter.parent_path());
        std::ofstream(root / "proc/self/cgroup") << "0::/jobs\n";
        std::ofstream(counter) << "oom_kill 0\n";
        run::RunnerOptions options;
        options.launcher = run::makeLocalLauncher(root);
        StudyFixture fixture({"killed", "work"});
        fixture.study().benchmark.retry = {.crash = 0};
        fixture.save();
        QCOMPARE(execute(fixture.path(), options).done, 1);
        QCOMPARE(test::failureKind(fixture.load(), 1), std::string("crash")); // nobody knows who it was
        const std::string words = fixture.load().runs[0].failure->message;
        QVERIFY2(words.find("SIGKILL, by whom is unknown") != words.npos, words.c_str());
        qputenv("FAKE_OOM_COUNTER", QByteArray::fromStdString(counter.string()));
        options.retryFailed = true;
        QCOMPARE(execute(fixture.path(), options).failed, 1);
        qunsetenv("FAKE_OOM_COUNTER");
        QCOMPARE(test::failureKind(fixture.load(), 1), std::string("out-of-memory"));
        QCOMPARE(fixture.load().runs[0].provenance.attempt, std::optional<int>(2)); // asked for
    }

    void gigabyteIsEndedByTheLimit()
    {
        StudyFixture fixture({"gigabyte", "work"});
        const double before = residentMib();
        QCOMPARE(execute(fixture.path()).done, 1);
        QCOMPARE(test::failureKind(fixture.load(), 1), std::string("bad-output"));
        QVERIFY(std::filesystem::file_size(run::logPath(fixture.path(), 1)) < run::RunLog::kMostBytes + 100);
        QVERIFY2(residentMib() < before + 100.0, "the output is kept in memory");
    }

    void outputHasALimit()
    {
        StudyFixture fixture({"flood", "work"});
        fixture.study().benchmark.outputMib = 5;
        fixture.save();
        QCOMPARE(execute(fixture.path()).done, 1);
        const study::Study study = fixture.load();
        QCOMPARE(test::failureKind(study, 1), std::string("bad-output"));
        QVERIFY(study.runs[0].failure->message.find("more than 5 MiB") != std::string::npos);
    }

    void noiseIsHarmless()
    {
        StudyFixture fixture({"noise", "work"});
        QCOMPARE(execute(fixture.path()).done, 2);
        QCOMPARE(fixture.load().runs[0].results.at("speed"), test::trueSpeed(fixture.load().runs[0]));
    }

    void daemonsEndWithTheirRun()
    {
        StudyFixture fixture({"daemons", "work"});
        QCOMPARE(execute(fixture.path()).done, 2);
        QCOMPARE(test::processesWith(m_token.toStdString()).size(), std::size_t{0});
    }

    void liarIsFound()
    {
        StudyFixture fixture({"liar", "work"});
        QCOMPARE(execute(fixture.path()).done, 1);
        const study::Study study = fixture.load();
        QCOMPARE(test::failureKind(study, 1), std::string("bad-output"));
        QVERIFY2(study.runs[0].failure->message.ends_with("a = 2.0, it was given 1"),
                 study.runs[0].failure->message.c_str());
        QCOMPARE(study::numberOf(study.runs[0].settings.at("a")), 1.0);
    }

    void failureOfADiskHasItsKind()
    {
        StudyFixture fixture({"full disk"});
        QCOMPARE(execute(fixture.path()).failed, 1);
        QCOMPARE(test::failureKind(fixture.load(), 1), std::string("disk-full"));
    }

    void clockMayJump()
    {
        StudyFixture fixture(std::vector<std::string>(4, "result file"));
        QTemporaryDir config;
        qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
        fixture.study().benchmark.workload = "command";
        fixture.study().benchmark.argv = {builtPath("bin/fake_worker")};
        fixture.study().benchmark.parse = {.kind = study::ParseSpec::Kind::File, .file = "result.json"};
        fixture.study().benchmark.timeoutSeconds = 60.0;
        fixture.save();
        QElapsedTimer clock;
        clock.start();
        qputenv("LD_PRELOAD", builtPath("tests/core/run/libclock_shim.so"));
        const QString reason = run::startRunner(fixture.path(), {QStringLiteral("--approve")});
        qunsetenv("LD_PRELOAD");
        QCOMPARE(reason, QString());
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
        for (const study::Run& run : fixture.load().runs) {
            QCOMPARE(run.status, study::RunStatus::Done);
            QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
            const double seconds = run.provenance.seconds.value();
            QVERIFY(seconds > 0.0 && seconds < static_cast<double>(clock.elapsed()) / 1000.0);
        }
    }

private:
    QByteArray m_token;
};

QUADRIC_QT_TEST(HostileTest)
#include "hostile_test.moc"
