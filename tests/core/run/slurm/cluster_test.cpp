// SPDX-License-Identifier: GPL-3.0-or-later

// Runs of a study as jobs of a real Slurm with two virtual nodes on this machine (virtual_cluster.sh).
#include "core/run/follow/follower.h"
#include "core/run/follow/live_series.h"
#include "core/run/follow/runner_news.h"
#include "core/run/recipe/approval.h"
#include "core/run/recipe/recipe.h"
#include "core/run/runner/run_line.h"
#include "core/run/runner/runner.h"
#include "core/run/words/run_files.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "core/study/run.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <csignal>
#include <fstream>
#include <optional>
#include <random>
#include <set>

using namespace quadric;
using test::StudyFixture;

namespace {

constexpr int kClusterPatienceMs = 60000;

/// The virtual cluster; gone with this object.
class VirtualCluster {
public:
    VirtualCluster()
        : m_port(17000 + 16 * static_cast<int>(QCoreApplication::applicationPid() % 900))
    {
    }
    ~VirtualCluster() { call({QStringLiteral("down"), folder()}); }

    /// Empty, or why it cannot be started.
    QString start()
    {
        for (const char* program : {"slurmctld", "slurmd", "munged", "sbatch"}) {
            const QString name = QLatin1String(program);
            if (QStandardPaths::findExecutable(name).isEmpty() &&
                QStandardPaths::findExecutable(name, {QStringLiteral("/usr/sbin")}).isEmpty())
                return name + QStringLiteral(" is not installed");
        }
        return call({QStringLiteral("up"), folder(), QString::number(m_port), QStringLiteral("2"),
                     QStringLiteral("4")});
    }

    void crash(const QString& node) { call({QStringLiteral("crash"), folder(), node}); }
    void crashController() { call({QStringLiteral("crash_controller"), folder()}); }
    void bootController(bool forgets)
    {
        call(QStringList{QStringLiteral("boot_controller"), folder()}
             << (forgets ? QStringList{QStringLiteral("-c")} : QStringList()));
    }
    void boot(const QString& node) { call({QStringLiteral("boot"), folder(), node}); }
    QString folder() const { return m_folder.path(); }

private:
    /// Empty, or what the script said before it failed.
    QString call(const QStringList& arguments)
    {
        QProcess script;
        script.setStandardOutputFile(QProcess::nullDevice()); // daemons would hold a pipe open
        script.setStandardErrorFile(folder() + QStringLiteral("/script.log"));
        script.start(QString::fromUtf8(sourcePath("tests/core/run/slurm/virtual_cluster.sh")), arguments);
        if (script.waitForFinished(kClusterPatienceMs) && script.exitCode() == 0)
            return {};
        QFile log(folder() + QStringLiteral("/script.log"));
        return log.open(QIODevice::ReadOnly) ? QString::fromUtf8(log.readAll()) : QStringLiteral("no log");
    }

    QTemporaryDir m_folder;
    int m_port;
};

QByteArray answerOf(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    process.waitForFinished();
    return process.readAllStandardOutput().trimmed();
}

/// The jobs of a study that Slurm remembers, in whatever state.
QList<QByteArray> jobsOf(const study::Study& study)
{
    QList<QByteArray> jobs;
    const QByteArray all =
        answerOf(QStringLiteral("squeue"), {QStringLiteral("-h"), QStringLiteral("-t"), QStringLiteral("all"),
                                            QStringLiteral("-o"), QStringLiteral("%i %k")});
    for (const QByteArray& line : all.split('\n')) {
        if (line.endsWith(" of " + QByteArray::fromStdString(study.name)))
            jobs << line.left(line.indexOf(' '));
    }
    return jobs;
}

QByteArray waitingOrRunning()
{
    return answerOf(QStringLiteral("squeue"),
                    {QStringLiteral("-h"), QStringLiteral("-o"), QStringLiteral("%i %T")});
}

study::SlurmOptions quickOptions()
{
    study::SlurmOptions options;
    options.pollSeconds = 0.2;
    return options;
}

/// A study whose runs are jobs; its name tells its jobs from those of other tests.
class JobFixture : public StudyFixture {
public:
    explicit JobFixture(const std::vector<std::string>& behaviors,
                        const study::SlurmOptions& options = quickOptions())
        : StudyFixture(behaviors)
    {
        study().name = QTest::currentTestFunction();
        set(options);
    }

    void set(const study::SlurmOptions& options)
    {
        study().benchmark.launcher = study::LauncherKind::Slurm;
        study().benchmark.slurm = options;
        // What else this machine does is no reason to count a job twice.
        study().benchmark.retry = {.disturbed = 0};
        save();
    }

    void fix(const std::string& name, study::Value value)
    {
        study().fixed[name] = std::move(value);
        save();
    }
};

/// Executes the study in this process.
class ClusterExecution {
public:
    explicit ClusterExecution(const StudyFixture& fixture, run::RunnerOptions options = {})
        : m_runner(fixture.path(), withLauncher(fixture, std::move(options)))
    {
        QObject::connect(&m_runner, &run::Runner::ended,
                         [this](const run::RunnerSummary& summary) { m_summary = summary; });
        QObject::connect(&m_runner, &run::Runner::eventWritten,
                         [this](const QByteArray& event) { take(QJsonDocument::fromJson(event).object()); });
        m_runner.start();
    }

    run::Runner& runner() { return m_runner; }
    bool hasEnded() const { return m_summary.has_value(); }
    const run::RunnerSummary& summary() const { return *m_summary; }

    bool hasState(const QString& words) const
    {
        return std::any_of(states.begin(), states.end(),
                           [&words](const QString& state) { return state.contains(words); });
    }

    QSet<int> active;
    qsizetype mostActive = 0;
    QStringList states;
    int samples = 0, machineSamples = 0;

private:
    static run::RunnerOptions withLauncher(const StudyFixture& fixture, run::RunnerOptions options)
    {
        options.launcher = run::launcherFor(fixture.load(), fixture.path());
        return options;
    }

    void take(const QJsonObject& event)
    {
        const QString name = event[QLatin1String("event")].toString();
        const int run = event[QLatin1String("run")][QLatin1String("id")].toInt();
        if (name == QLatin1String("run-started"))
            active.insert(run);
        else if (name.startsWith(QLatin1String("run-")))
            active.remove(run);
        else if (name == QLatin1String("state"))
            states << event[QLatin1String("state")].toString();
        samples += name == QLatin1String("sample") ? 1 : 0;
        machineSamples += name == QLatin1String("telemetry") ? 1 : 0;
        mostActive = std::max(mostActive, active.size());
    }

    run::Runner m_runner;
    std::optional<run::RunnerSummary> m_summary;
};

/// A runner in a process of its own, which may be killed.
class RunnerProcess {
public:
    explicit RunnerProcess(const StudyFixture& fixture, const QString& firstOnPath = {})
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        if (!firstOnPath.isEmpty())
            environment.insert(QStringLiteral("PATH"),
                               firstOnPath + QLatin1Char(':') + environment.value(QStringLiteral("PATH")));
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::ForwardedChannels);
        m_process.start(QString::fromUtf8(builtPath("bin/runner_process")),
                        {QStringLiteral("run"), QString::fromStdString(fixture.path().string())});
        m_process.waitForStarted();
    }

    ~RunnerProcess()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

private:
    QProcess m_process;
};

std::string failureOf(const study::Study& study, int id)
{
    const study::Run* run = study::findRun(study, id);
    return run->failure ? run->failure->kind + ": " + run->failure->message : "none";
}

QJsonObject detailOf(const study::Run& run, const char* key)
{
    const QJsonObject record =
        QJsonDocument::fromJson(QByteArray::fromStdString(study::writeRun(run))).object();
    return record[QLatin1String("provenance")].toObject()[QLatin1String(key)].toObject();
}

QJsonObject slurmFacts(const study::Run& run)
{
    return detailOf(run, "slurm");
}

} // namespace

namespace {

/// A study of somebody else: a run that a job has been left of, as it says. Returns the job's folder, empty.
std::filesystem::path plantJob(JobFixture& fixture, const std::string& name)
{
    const std::filesystem::path folder = run::logFolder(fixture.path()) / name;
    std::filesystem::create_directories(folder);
    study::Run& run = fixture.study().runs[0];
    run.status = study::RunStatus::Running;
    run.provenance.slurm = study::SlurmJob{
        .name = name, .settings = study::writeSettings(run::workerSettings(fixture.study(), run))};
    fixture.save();
    return folder;
}

} // namespace

class ClusterTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_cluster = std::make_unique<VirtualCluster>();
        const QString problem = m_cluster->start();
        if (!problem.isEmpty() && qEnvironmentVariableIsSet("QUADRIC_TESTS_NEED_SLURM"))
            QFAIL(qPrintable(problem));
        if (!problem.isEmpty())
            QSKIP(qPrintable(QStringLiteral("a virtual Slurm cluster cannot be started here: ") + problem));
        qputenv("SLURM_CONF", (m_cluster->folder() + QStringLiteral("/slurm.conf")).toUtf8());
    }

    void init() { qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker")); }

    void cleanupTestCase() { m_cluster.reset(); }

    void runsAreJobsWithTheirOwnResults()
    {
        JobFixture fixture({"work", "work", "simulated"});
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().inWords(), std::string("Finished: 3 runs done"));
        const study::Study study = fixture.load();
        for (const study::Run& run : study.runs) {
            QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
            QVERIFY(slurmFacts(run)[QLatin1String("job")].toString().toInt() > 0);
            QVERIFY(slurmFacts(run)[QLatin1String("nodes")].toString().startsWith(QLatin1Char('n')));
            QVERIFY(run.provenance.host.starts_with("n")); // not where the runner is
        }
        QCOMPARE(study.runs[2].provenance.source, study::Source::Simulated);
        QVERIFY(test::textOf(run::logPath(fixture.path(), 1))
                    .contains(QStringLiteral("a word on standard error")));
        QVERIFY(execution.samples >= 1);
        QCOMPARE(jobsOf(study).size(), 3);
    }

    /// Each job wants all GPUs (which are not real) of both nodes: one computes, one waits, one is not in the
    /// queue.
    void jobsWaitInTheQueueUpToTheLimit()
    {
        study::SlurmOptions options = quickOptions();
        options.ranksPerNode = 1;
        options.gpusPerRank = 4;
        options.mostJobs = 2;
        JobFixture fixture({"work", "work", "work"}, options);
        fixture.fix("ranks", 2.0);
        fixture.fix("milliseconds", 1500.0);
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasState(QStringLiteral("waits in the queue of Slurm (")),
                                 kPatienceMs);
        QCOMPARE(jobsOf(fixture.study()).size(), 2);
        const run::RunnerNews news =
            run::readRunnerNews(fixture.path()); // what quadric status and windows show
        QCOMPARE(news.active.size(), std::size_t{2});
        QVERIFY(std::any_of(news.active.begin(), news.active.end(), [](const auto& run) {
            return run.second.waitsFor.find("waits in the queue of Slurm (") != std::string::npos;
        }));
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 3);
        QCOMPARE(execution.mostActive, 2);
        QCOMPARE(slurmFacts(fixture.load().runs[0])[QLatin1String("nodes")].toString(),
                 QStringLiteral("n[1-2]"));
    }

    void programsThatFailHaveTheirKind()
    {
        JobFixture fixture({"exit", "memory", "silent", "crash"});
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        const study::Study study = fixture.load();
        QCOMPARE(failureOf(study, 1), std::string("exit-status: Exit status 3. Last line: no license"));
        QCOMPARE(failureOf(study, 2), std::string("out-of-memory: needs 9 GiB"));
        QVERIFY2(failureOf(study, 3).starts_with("missing-result"), failureOf(study, 3).c_str());
        QVERIFY2(failureOf(study, 4).starts_with("crash: Ended by SIGSEGV"), failureOf(study, 4).c_str());
    }

    /// Quadric's own limit comes before Slurm's, which counts in minutes (job_status_test has that one).
    void limitsOfTimeEndJobs()
    {
        JobFixture fixture({"hang", "work"});
        fixture.study().benchmark.timeoutSeconds = 1.0;
        fixture.save();
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QVERIFY2(failureOf(fixture.load(), 1).starts_with("timeout: No result within 1 s"),
                 failureOf(fixture.load(), 1).c_str());
        QCOMPARE(fixture.load().runs[1].status, study::RunStatus::Done);
        QCOMPARE(waitingOrRunning(), QByteArray());
    }

    /// And the memory that the study allows is asked for.
    void outputHasALimit()
    {
        JobFixture fixture({"flood", "work"});
        fixture.study().benchmark.outputMib = 5;
        fixture.study().benchmark.memoryMib = 600;
        fixture.save();
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(failureOf(fixture.load(), 1),
                 std::string("bad-output: The program printed more than 5 MiB"));
        QCOMPARE(fixture.load().runs[1].status, study::RunStatus::Done);
    }

    void cancelledJobsHaveTheirKind()
    {
        JobFixture fixture({"hang"});
        ClusterExecution execution(fixture);
        QTRY_COMPARE_WITH_TIMEOUT(jobsOf(fixture.study()).size(), 1, kPatienceMs);
        answerOf(QStringLiteral("scancel"), {QString::fromUtf8(jobsOf(fixture.study()).first())});
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QVERIFY2(failureOf(fixture.load(), 1).starts_with("cancelled: job "),
                 failureOf(fixture.load(), 1).c_str());
    }

    void stopPutsRunsBackAndEmptiesTheQueue()
    {
        JobFixture fixture({"hang", "deaf", "hang"});
        ClusterExecution execution(fixture);
        QTRY_COMPARE_WITH_TIMEOUT(jobsOf(fixture.study()).size(), 3, kPatienceMs);
        execution.runner().stop();
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QVERIFY(execution.summary().isStopped);
        QCOMPARE(waitingOrRunning(), QByteArray());
        for (const study::Run& run : fixture.load().runs) {
            QCOMPARE(run.status, study::RunStatus::Pending);
            QVERIFY(run.provenance == study::Provenance{});
        }
    }

    void impossibleRequestsAreSentences()
    {
        study::SlurmOptions options = quickOptions();
        options.gpusPerRank = 9;
        JobFixture fixture({"work"}, options);
        {
            ClusterExecution execution(fixture);
            QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
            const std::string failure = failureOf(fixture.load(), 1);
            QVERIFY2(failure.starts_with("refused: Slurm refuses the job: "), failure.c_str());
            QVERIFY2(failure.ends_with("Requested node configuration is not available. The run asks for 1 "
                                       "rank on 1 node with 9 GPUs (benchmark.slurm)"),
                     failure.c_str());
        }
        QCOMPARE(jobsOf(fixture.study()).size(), 0);
        options.gpusPerRank = 0;
        options.partition = "nowhere";
        fixture.set(options);
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QVERIFY2(failureOf(fixture.load(), 1).find("Invalid partition name specified") != std::string::npos,
                 failureOf(fixture.load(), 1).c_str());
    }

    void aSetupThatFailsIsNamed()
    {
        study::SlurmOptions options = quickOptions();
        const std::map<std::string, std::string> cases = {
            {"no_such_command nonsense",
             "setup-failed: the setup line \"no_such_command nonsense\" failed with status 127: "},
            {"exit 3", "setup-failed: the setup line \"exit 3\" failed with status 3: no reason given"},
            {"kill -KILL $$", "setup-failed: the setup line \"kill -KILL $$\" failed and was ended by signal "
                              "9: no reason given"}};
        for (const auto& [line, sentence] : cases) {
            options.setup = {"true", line, "true"};
            JobFixture fixture({"work"}, options);
            run::ApprovalRequest(fixture.load(), fixture.path()).approve();
            ClusterExecution execution(fixture);
            QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
            QVERIFY2(failureOf(fixture.load(), 1).starts_with(sentence),
                     failureOf(fixture.load(), 1).c_str());
        }
        options.setup = {};
        options.options = {"--nonsense"};
        JobFixture fixture({"work"}, options);
        run::ApprovalRequest(fixture.load(), fixture.path()).approve();
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QVERIFY2(failureOf(fixture.load(), 1)
                     .starts_with("refused: Slurm refuses the job: sbatch: unrecognized option '--nonsense'"),
                 failureOf(fixture.load(), 1).c_str());
    }

    void aControllerThatRestartsLosesNothing_data()
    {
        QTest::addColumn<bool>("forgets");
        QTest::newRow("with its jobs") << false;
        QTest::newRow("without its jobs, whose numbers it gives away again") << true;
    }

    /// Killed while jobs run, wait and are being submitted; back after some seconds without its nodes.
    void aControllerThatRestartsLosesNothing()
    {
        QFETCH(bool, forgets);
        JobFixture fixture(std::vector<std::string>(6, "work"));
        fixture.study().name += forgets ? " 2" : " 1"; // its jobs are found by this
        fixture.fix("milliseconds", 1000.0);
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(jobsOf(fixture.study()).size() >= 2, kPatienceMs);
        m_cluster->crashController();
        QTest::qWait(2000);
        m_cluster->bootController(forgets);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), 3 * kPatienceMs);
        const study::Study study = fixture.load();
        for (const study::Run& run : study.runs) {
            QVERIFY2(run.status == study::RunStatus::Done, failureOf(study, run.id).c_str());
            QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
        }
    }

    /// The runner is killed while jobs run and wait; the next one executes each run once in all.
    void aNewRunnerTakesOverTheJobs()
    {
        JobFixture fixture({"work", "work", "work", "work", "work"});
        fixture.fix("milliseconds", 2500.0);
        {
            RunnerProcess first(fixture);
            QTRY_COMPARE_WITH_TIMEOUT(jobsOf(fixture.study()).size(), 4, kPatienceMs);
            QTest::qWait(500);
            first.kill();
        }
        QVERIFY(!waitingOrRunning().isEmpty()); // jobs outlive their runner
        study::foldJournal(fixture.path());
        fixture.study() = fixture.load();
        for (study::Run& run : fixture.study().runs)
            run.status = study::RunStatus::Pending; // as a window calls them that finds no runner
        fixture.save();
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 5);
        for (const study::Run& run : fixture.load().runs)
            QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
        QCOMPARE(jobsOf(fixture.study()).size(), 5);
    }

    /// A result must never come to settings that it was not measured at.
    void aJobWhoseRunWasEditedIsCancelled()
    {
        JobFixture fixture({"work"});
        fixture.fix("milliseconds", 20000.0);
        {
            RunnerProcess first(fixture);
            QTRY_COMPARE_WITH_TIMEOUT(jobsOf(fixture.study()).size(), 1, kPatienceMs);
            QTRY_VERIFY_WITH_TIMEOUT(slurmFacts(fixture.load().runs[0]).contains(QLatin1String("job")),
                                     kPatienceMs);
            first.kill();
        }
        study::foldJournal(fixture.path());
        fixture.study() = fixture.load();
        fixture.study().runs[0].settings["a"] = 50.0;
        fixture.fix("milliseconds", 0.0);
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
        QCOMPARE(fixture.load().runs[0].results.at("speed"), 500.5);
        QTRY_COMPARE_WITH_TIMEOUT(waitingOrRunning(), QByteArray(), kPatienceMs);
        QCOMPARE(jobsOf(fixture.study()).size(), 2);
    }

    /// An sbatch that submits and then kills the runner before it can hear of the job.
    void aJobWithoutItsNumberIsFoundAgain()
    {
        JobFixture fixture({"work"});
        fixture.fix("milliseconds", 1500.0);
        QTemporaryDir folder;
        QFile sbatch(folder.filePath(QStringLiteral("sbatch")));
        QVERIFY(sbatch.open(QIODevice::WriteOnly));
        const QByteArray real = QStandardPaths::findExecutable(QStringLiteral("sbatch")).toUtf8();
        sbatch.write("#!/bin/bash\n[ \"$1\" = --test-only ] && exec " + real + " \"$@\"\n" + real +
                     " \"$@\" >/dev/null\nkill -9 $PPID\n");
        sbatch.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        sbatch.close();
        {
            RunnerProcess first(fixture, folder.path());
            QTRY_VERIFY_WITH_TIMEOUT(!first.isRunning(), kPatienceMs);
        }
        QCOMPARE(jobsOf(fixture.study()).size(), 1);
        QVERIFY(!slurmFacts(fixture.load().runs[0]).contains(QLatin1String("job")));
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
        QCOMPARE(jobsOf(fixture.study()).size(), 1);
    }

    void aRunThatWasNeverSubmittedIsSubmitted()
    {
        JobFixture fixture({"work"});
        dieBeforeSubmitting(fixture);
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
        QCOMPARE(jobsOf(fixture.study()).size(), 1);
    }

    void aScriptThatIsThereAlreadyIsNotSubmitted()
    {
        JobFixture fixture({"work"});
        const std::filesystem::path folder = plantJob(fixture, "quadric-01234567-1-01234567");
        const std::filesystem::path proof = fixture.path().string() + ".proof";
        std::ofstream(folder / "job.sh") << "#!/bin/bash\ntouch '" << proof.string() << "'\n";
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
        QVERIFY(!std::filesystem::exists(proof));
    }

    void aJobWritesThroughNoLinkInItsFolder()
    {
        int number = 0;
        for (const char* name : {"output", "slurm.log", "telemetry"}) {
            JobFixture fixture({"work"});
            const std::filesystem::path proof = fixture.path().string() + ".proof";
            const std::filesystem::path folder =
                plantJob(fixture, "quadric-01234567-1-0000000" + std::to_string(++number));
            std::filesystem::create_symlink(proof, folder / name);
            ClusterExecution execution(fixture);
            QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
            QCOMPARE(execution.summary().failed, 1);
            const std::string message = fixture.load().runs[0].failure->message;
            QVERIFY2(message.find(std::string(name) + ": a link to") != std::string::npos, message.c_str());
            QVERIFY(!std::filesystem::exists(proof));
        }
    }

    /// One that names another job of the user's as its own.
    void anotherJobOfTheUserIsNotCancelled()
    {
        const QByteArray other =
            answerOf(QStringLiteral("sbatch"), {QStringLiteral("--parsable"), QStringLiteral("-o/dev/null"),
                                                QStringLiteral("--wrap=sleep 600")});
        JobFixture fixture({"work"});
        plantJob(fixture, "quadric-01234567-1-76543210");
        fixture.study().runs[0].provenance.slurm->job = other.toStdString();
        fixture.save();
        ClusterExecution execution(fixture);
        QTest::qWait(2000);
        execution.runner().stop();
        QTest::qWait(2000);
        QVERIFY2(waitingOrRunning().startsWith(other), waitingOrRunning().constData());
        answerOf(QStringLiteral("scancel"), {QString::fromUtf8(other)});
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
    }

    /// Runners are killed at random moments, one after the other, before, while and after they submit.
    void killedRunnersLoseNothingAndDoubleNothing()
    {
        study::SlurmOptions options = quickOptions();
        options.mostJobs = 3;
        JobFixture fixture(std::vector<std::string>(8, "work"), options);
        fixture.fix("milliseconds", 300.0);
        std::mt19937 random(8);
        std::uniform_int_distribution<int> anyMoment(20, 600);
        for (int kills = 0; kills < 20; ++kills) {
            RunnerProcess runner(fixture);
            QTest::qWait(anyMoment(random));
            runner.kill();
        }
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        for (const study::Run& run : fixture.load().runs) {
            QCOMPARE(failureOf(fixture.load(), run.id), std::string("none"));
            QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
        }
        QCOMPARE(jobsOf(fixture.study()).size(), 8);
    }

    /// Two ranks of the real trainer on two nodes, which are virtual: the result proves that they met, not
    /// how fast they are.
    void theTrainerRunsAcrossNodes()
    {
        qputenv("QUADRIC_TRAINER", builtPath("bin/quadric-trainer"));
        study::SlurmOptions options = quickOptions();
        options.ranksPerNode = 1;
        JobFixture fixture({"work"}, options);
        study::Study& study = fixture.study();
        study.factors.clear();
        study.runs[0].settings.clear();
        study.responses[0].name = "images_per_sec";
        study.fixed = {{"ranks", 2.0},
                       {"network", std::string("resnet8")},
                       {"image_size", 16.0},
                       {"batch_per_rank", 4.0},
                       {"max_seconds", 3.0},
                       {"baseline", std::string("off")},
                       {"oversubscribe", std::string("on")}};
        fixture.save();
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        QCOMPARE(failureOf(fixture.load(), 1), std::string("none"));
        const study::Run run = fixture.load().runs[0];
        QVERIFY(run.results.at("images_per_sec") > 0.0);
        QCOMPARE(slurmFacts(run)[QLatin1String("nodes")].toString(), QStringLiteral("n[1-2]"));
        QCOMPARE(slurmFacts(run)[QLatin1String("request")].toString(), QStringLiteral("2 ranks on 2 nodes"));
    }

    /// Both nodes see the GPUs of the played driver, whose first is hot; the ranks are no strangers to each
    /// other.
    void theNodesOfAJobAreWatched()
    {
        QTemporaryDir folder;
        QFile script(folder.filePath(QStringLiteral("nvml.json")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(R"({"driver": "550.54.15", "cuda": 12040, "devices": [
        {"uuid": "GPU-a", "name": "H100", "pci": "00000000:3B:00.0",
         "moments": [{"clock": 1200, "power_mw": 300000, "throttle": 64}]},
        {"uuid": "GPU-b", "name": "H100", "pci": "00000000:5B:00.0",
         "moments": [{"clock": 1400, "power_mw": 200000, "throttle": 0}]}]})");
        script.close();
        QVERIFY(QFile::link(QString::fromUtf8(builtPath("tests/core/machine/driver/libnvidia-ml.so.1")),
                            folder.filePath(QStringLiteral("libnvidia-ml.so.1"))));
        study::SlurmOptions options = quickOptions();
        options.ranksPerNode = 1;
        options.gpusPerRank = 2;
        options.setup = {"export FAKE_NVML_SCRIPT=" + script.fileName().toStdString(),
                         "export LD_LIBRARY_PATH=" + folder.path().toStdString()};
        JobFixture fixture({"work"}, options);
        fixture.fix("ranks", 2.0);
        fixture.fix("milliseconds", 4000.0);
        run::ApprovalRequest(fixture.load(), fixture.path()).approve();
        ClusterExecution execution(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
        const study::Run run = fixture.load().runs[0];
        QCOMPARE(failureOf(fixture.load(), 1), std::string("none"));

        const QJsonObject watched = detailOf(run, "telemetry");
        const QJsonArray nodes = watched[QLatin1String("nodes")].toArray();
        QCOMPARE(nodes.size(), 2);
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(nodes[i][QLatin1String("node")].toString(), QStringLiteral("n%1").arg(i + 1));
            QVERIFY(nodes[i][QLatin1String("samples")].toInt() > 10);
            QCOMPARE(nodes[i][QLatin1String("devices")].toArray().size(), 2);
        }
        QCOMPARE(detailOf(run, "driver")[QLatin1String("version")].toString(), QStringLiteral("550.54.15"));
        QVERIFY(study::isDisturbed(run));
        const std::string& why = run.provenance.disturbedBecause;
        QVERIFY2(why.find("n1: ") != why.npos && why.find("n2: ") != why.npos &&
                     why.find("GPU 0 was slowed by heat for 100 % of the run") != why.npos,
                 why.c_str());

        run::RunSamples samples = run::RunFiles(fixture.path(), 1).read().samples;
        std::set<std::string> sampled;
        for (const machine::Reading& reading : samples.machine)
            sampled.insert(reading.node);
        QCOMPARE(sampled, (std::set<std::string>{"n1", "n2"}));
        const auto power = run::makeTimeSeries(samples, run::Quantity::Power);
        QVERIFY(!power.empty());
        QCOMPARE(power.back().value, 1000.0); // of four GPUs
        QVERIFY(execution.machineSamples > 0);
    }

    /// A trainer that measures the same everywhere; "Old" was another machine.
    void aBaselineIsAJobAndCountsOnItsKindOfNode()
    {
        QTemporaryDir folder;
        QFile trainer(folder.filePath(QStringLiteral("trainer")));
        QVERIFY(trainer.open(QIODevice::WriteOnly));
        trainer.write(QByteArrayLiteral(R"sh(#!/bin/sh
[ "$SLURM_PROCID" = 0 ] || exit 0
echo '{"event": "hello", "protocol": 1, "device": {"name": "Xeon 1"}, "versions": {}}'
case "$*" in
*"--baseline-device Old"*) baseline='{"from": "this run", "own_because": "it was measured on Old"}' ;;
*"--baseline-rate 60 --baseline-device Xeon 1"*) baseline='{"from": "settings"}' ;;
*) baseline='"one rank"' ;;
esac
echo '{"event": "result", "responses": {"images_per_sec": 60, "scaling_efficiency": 90},
"provenance": {"baseline": '"$baseline"'}}' | tr -d '\n'
echo
)sh"));
        trainer.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        trainer.close();
        qputenv("QUADRIC_TRAINER", trainer.fileName().toUtf8());
        study::SlurmOptions options = quickOptions();
        options.ranksPerNode = 1;
        JobFixture fixture({"work", "work"}, options);
        study::Study& study = fixture.study();
        study.factors = {{.name = "bucket_mib", .low = 1, .high = 25}};
        study.responses = {{.name = "images_per_sec"}, {.name = "scaling_efficiency"}};
        study.runs[0].settings = {{"bucket_mib", 1.0}};
        study.runs[1].settings = {{"bucket_mib", 25.0}};
        study.fixed = {{"ranks", 2.0}, {"engine", std::string("cpu")}, {"oversubscribe", std::string("on")}};
        fixture.save();
        {
            ClusterExecution execution(fixture);
            QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), kPatienceMs);
            QCOMPARE(execution.summary().inWords(), std::string("Finished: 2 runs done, 1 baseline"));
        }
        study = fixture.load();
        QCOMPARE(study.baselines.size(), std::size_t{1});
        QCOMPARE(slurmFacts(study.baselines[0])[QLatin1String("request")].toString(),
                 QStringLiteral("1 rank on 1 node"));
        for (const study::Run& run : study.runs) {
            QCOMPARE(run.provenance.baselineRun, std::optional<int>(study.baselines[0].id));
            QCOMPARE(detailOf(run, "baseline")[QLatin1String("from")].toString(), QStringLiteral("settings"));
        }

        study.baselines[0].provenance.device = {.name = "Old"};
        for (study::Run& run : study.runs)
            run = {.id = run.id, .order = run.order, .settings = run.settings};
        fixture.save();
        ClusterExecution again(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(again.hasEnded(), kPatienceMs);
        QCOMPARE(again.summary().inWords(), std::string("Finished: 2 runs done"));
        study = fixture.load();
        for (const study::Run& run : study.runs) {
            QVERIFY(!run.provenance.baselineRun);
            QCOMPARE(QString::fromStdString(run.provenance.noSharedBaselineBecause),
                     QStringLiteral("baseline run %1 does not count: it was measured on Old")
                         .arg(study.baselines[0].id));
        }
    }

    void aLostNodeIsAFailureAndTheRunCanBeRepeated()
    {
        study::SlurmOptions options = quickOptions();
        options.ranksPerNode = 1;
        JobFixture fixture({"work"}, options);
        fixture.study().benchmark.retry = {.cluster = 0,
                                           .disturbed = 0}; // repeated below, when the node is back
        fixture.fix("ranks", 2.0);
        fixture.fix("milliseconds", 60000.0);
        {
            ClusterExecution execution(fixture);
            QTRY_VERIFY_WITH_TIMEOUT(execution.samples > 0, kPatienceMs);
            m_cluster->crash(QStringLiteral("n2"));
            QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), 2 * kPatienceMs);
            QVERIFY2(failureOf(fixture.load(), 1).starts_with("node-lost: a node failed while job "),
                     failureOf(fixture.load(), 1).c_str());
        }
        m_cluster->boot(QStringLiteral("n2"));
        study::Study repeated = fixture.load();
        fixture.study() = repeated;
        fixture.fix("milliseconds", 0.0);
        run::RunnerOptions again;
        again.retryFailed = true;
        ClusterExecution execution(fixture, again);
        QTRY_VERIFY_WITH_TIMEOUT(execution.hasEnded(), 2 * kPatienceMs);
        QCOMPARE(execution.summary().done, 1);
    }

private:
    /// A runner that is killed when it is about to submit its first job.
    void dieBeforeSubmitting(const JobFixture& fixture)
    {
        QTemporaryDir folder;
        QFile sbatch(folder.filePath(QStringLiteral("sbatch")));
        QVERIFY(sbatch.open(QIODevice::WriteOnly));
        sbatch.write("#!/bin/bash\nkill -9 $PPID\n");
        sbatch.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        sbatch.close();
        RunnerProcess first(fixture, folder.path());
        QTRY_VERIFY_WITH_TIMEOUT(!first.isRunning(), kPatienceMs);
        QCOMPARE(fixture.load().runs[0].status, study::RunStatus::Running);
    }

    std::unique_ptr<VirtualCluster> m_cluster;
};

QUADRIC_QT_TEST(ClusterTest)
#include "cluster_test.moc"
