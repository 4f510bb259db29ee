// SPDX-License-Identifier: GPL-3.0-or-later
// Disks that are full, clocks that jump, workers that flood, lie and linger: the experiment goes on.
#include "core/run/control_client.h"
#include "core/run/follower.h"
#include "core/run/launch.h"
#include "core/run/run_log.h"
#include "core/run/runner.h"
#include "core/study/document.h"
#include "core/study/journal.h"
#include "study_fixture.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTest>
#include <QTimer>

#include <fstream>
#include <optional>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

using namespace quadric;
using test::StudyFixture;

namespace {

constexpr int kPatienceMs = 120000;

/// Executes the study in this process until it ends.
run::RunnerSummary execute(const std::filesystem::path& path, const run::RunnerOptions& options = {})
{
    run::RunnerSummary summary;
    QEventLoop loop; // not QTest::qWait(), which sleeps between two looks
    run::Runner runner(path, options);
    QObject::connect(&runner, &run::Runner::ended, &loop, [&](const run::RunnerSummary& atTheEnd) {
        summary = atTheEnd;
        loop.quit();
    });
    QTimer::singleShot(kPatienceMs, &loop, [] { qFatal("the runner does not end"); });
    runner.start();
    loop.exec();
    return summary;
}

std::string failureKind(const study::Study& study, int id)
{
    const study::Run* run = study::findRun(study, id);
    return run->failure ? run->failure->kind : "none";
}

double residentMib()
{
    std::ifstream file("/proc/self/statm");
    double size = 0.0, resident = 0.0;
    file >> size >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576.0;
}

void writeLine(const char* path, const std::string& text)
{
    std::ofstream(path) << text;
}

/// Mounts of this process are its own: as root, or as root of a user namespace. Before any thread is started.
bool becomeMounter()
{
    const std::string user = std::to_string(::getuid()), group = std::to_string(::getgid());
    if (::unshare(CLONE_NEWNS) != 0) {
        if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
            return false;
        writeLine("/proc/self/setgroups", "deny");
        writeLine("/proc/self/uid_map", user + " " + user + " 1");
        writeLine("/proc/self/gid_map", group + " " + group + " 1");
    }
    return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

bool mayMount = false;

/// A file system in memory of `kib`, with the study on it.
class SmallDisk {
public:
    SmallDisk(const StudyFixture& fixture, int kib)
    {
        const std::string size = "size=" + std::to_string(kib) + "k";
        m_isMounted = ::mount("none", folder().c_str(), "tmpfs", 0, size.c_str()) == 0;
        if (m_isMounted)
            study::saveStudy(fixture.load(), path());
    }
    ~SmallDisk()
    {
        if (m_isMounted)
            ::umount2(folder().c_str(), MNT_DETACH);
    }

    bool isMounted() const { return m_isMounted; }
    std::string folder() const { return m_folder.path().toStdString(); }
    std::filesystem::path path() const { return folder() + "/small.quadric"; }
    std::filesystem::path ballast() const { return folder() + "/ballast"; }

    void fill() const
    {
        QFile file(QString::fromStdString(ballast().string()));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        const QByteArray page(4096, 'b');
        while (file.write(page) == page.size())
            continue;
    }

    bool makeReadOnly() const
    {
        return ::mount("none", folder().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }

private:
    QTemporaryDir m_folder;
    bool m_isMounted = false;
};

} // namespace

class HostileTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void crashIsTriedOnceMore();
    void disturbedIsMeasuredAgainAtTheEnd();
    void policyIsChecked();
    void memoryHasALimit();
    void theKernelEndsAWorkerForMemory();
    void gigabyteIsEndedByTheLimit();
    void outputHasALimit();
    void noiseIsHarmless();
    void daemonsEndWithTheirRun();
    void liarIsFound();
    void failureOfADiskHasItsKind();
    void clockMayJump();
    void fullDiskStopsBeforeTheRun();
    void diskFillsWhileItRuns();
    void readOnlyFolderIsSaid();
    void tornJournalGoesOn();

private:
    QByteArray m_token;
};

void HostileTest::initTestCase()
{
    qputenv("QUADRIC_TRAINER", FAKE_WORKER);
    qputenv("QUADRIC_PROGRAM", RUNNER_PROCESS);
}

void HostileTest::init()
{
    m_token = "token-" + QByteArray::number(QCoreApplication::applicationPid()) + "-" +
              QTest::currentTestFunction();
    qputenv("QUADRIC_TEST_TOKEN", m_token);
}

void HostileTest::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(test::processesWith(m_token.toStdString()).size(), std::size_t{0}, kPatienceMs);
}

void HostileTest::crashIsTriedOnceMore()
{
    StudyFixture fixture({"crash once", "work", "crash"});
    const run::RunnerSummary summary = execute(fixture.path());
    QCOMPARE(summary.done, 2);
    QCOMPARE(summary.failed, 1);
    const study::Study study = fixture.load();
    QCOMPARE(study.runs[0].status, study::RunStatus::Done);
    const std::string& earlier = study.runs[0].provenance.details.at("earlier_failure");
    QVERIFY2(earlier.find("SIGSEGV") != earlier.npos, earlier.c_str());
    QCOMPARE(study.runs[0].provenance.details.at("attempt"), std::string("2"));
    QCOMPARE(study.runs[1].provenance.details.at("attempt"), std::string("1"));
    QCOMPARE(failureKind(study, 3), std::string("crash"));
    fixture.study().benchmark.unknown["retry"] = R"({"crash": 0})";
    fixture.save();
    QCOMPARE(execute(fixture.path()).failed, 1); // the marks of the first attempts are still there
}

void HostileTest::disturbedIsMeasuredAgainAtTheEnd()
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
    QCOMPARE(fixture.load().runs[0].provenance.details.at("disturbed"), std::string("false"));
}

void HostileTest::policyIsChecked()
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
    fixture.study().benchmark.unknown = {{"retry", R"({"crash": 2})"}, {"memory_mib", "4096"}};
    fixture.save();
    const study::LoadedStudy loaded = study::loadStudy(fixture.path());
    QVERIFY2(loaded.warnings.empty(), "the keys of the policy are known");
    QVERIFY(loaded.study == fixture.study());
}

void HostileTest::memoryHasALimit()
{
    StudyFixture fixture({"eater", "work"});
    fixture.study().benchmark.unknown["memory_mib"] = "100";
    fixture.save();
    QCOMPARE(execute(fixture.path()).done, 1);
    const study::Study study = fixture.load();
    QCOMPARE(failureKind(study, 1), std::string("out-of-memory"));
    QVERIFY(study.runs[0].failure->message.find("the limit is 100 MiB") != std::string::npos);
}

void HostileTest::theKernelEndsAWorkerForMemory()
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
    fixture.study().benchmark.unknown["retry"] = R"({"crash": 0})";
    fixture.save();
    QCOMPARE(execute(fixture.path(), options).done, 1);
    QCOMPARE(failureKind(fixture.load(), 1), std::string("crash")); // nobody knows who it was
    const std::string words = fixture.load().runs[0].failure->message;
    QVERIFY2(words.find("SIGKILL, by whom is unknown") != words.npos, words.c_str());
    qputenv("FAKE_OOM_COUNTER", QByteArray::fromStdString(counter.string()));
    options.retryFailed = true;
    QCOMPARE(execute(fixture.path(), options).failed, 1);
    qunsetenv("FAKE_OOM_COUNTER");
    QCOMPARE(failureKind(fixture.load(), 1), std::string("out-of-memory"));
    QCOMPARE(fixture.load().runs[0].provenance.details.at("attempt"), std::string("2")); // asked for
}

void HostileTest::gigabyteIsEndedByTheLimit()
{
    StudyFixture fixture({"gigabyte", "work"});
    const double before = residentMib();
    QCOMPARE(execute(fixture.path()).done, 1);
    QCOMPARE(failureKind(fixture.load(), 1), std::string("bad-output"));
    QVERIFY(std::filesystem::file_size(run::logPath(fixture.path(), 1)) < run::RunLog::kMostBytes + 100);
    QVERIFY2(residentMib() < before + 100.0, "the output is kept in memory");
}

void HostileTest::outputHasALimit()
{
    StudyFixture fixture({"flood", "work"});
    fixture.study().benchmark.unknown["output_mib"] = "5";
    fixture.save();
    QCOMPARE(execute(fixture.path()).done, 1);
    const study::Study study = fixture.load();
    QCOMPARE(failureKind(study, 1), std::string("bad-output"));
    QVERIFY(study.runs[0].failure->message.find("more than 5 MiB") != std::string::npos);
}

void HostileTest::noiseIsHarmless()
{
    StudyFixture fixture({"noise", "work"});
    QCOMPARE(execute(fixture.path()).done, 2);
    QCOMPARE(fixture.load().runs[0].results.at("speed"), test::trueSpeed(fixture.load().runs[0]));
}

void HostileTest::daemonsEndWithTheirRun()
{
    StudyFixture fixture({"daemons", "work"});
    QCOMPARE(execute(fixture.path()).done, 2);
    QCOMPARE(test::processesWith(m_token.toStdString()).size(), std::size_t{0});
}

void HostileTest::liarIsFound()
{
    StudyFixture fixture({"liar", "work"});
    QCOMPARE(execute(fixture.path()).done, 1);
    const study::Study study = fixture.load();
    QCOMPARE(failureKind(study, 1), std::string("bad-output"));
    QVERIFY2(study.runs[0].failure->message.ends_with("a = 2.0, it was given 1"),
             study.runs[0].failure->message.c_str());
    QCOMPARE(study::numberOf(study.runs[0].settings.at("a")), 1.0);
}

void HostileTest::failureOfADiskHasItsKind()
{
    StudyFixture fixture({"full disk"});
    QCOMPARE(execute(fixture.path()).failed, 1);
    QCOMPARE(failureKind(fixture.load(), 1), std::string("disk-full"));
}

void HostileTest::clockMayJump()
{
    StudyFixture fixture(std::vector<std::string>(4, "result file"));
    QTemporaryDir config;
    qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
    fixture.study().benchmark.workload = "command";
    fixture.study().benchmark.argv = {FAKE_WORKER};
    fixture.study().benchmark.parse = R"({"file": "result.json"})";
    fixture.study().benchmark.timeoutSeconds = 60.0;
    fixture.save();
    QElapsedTimer clock;
    clock.start();
    qputenv("LD_PRELOAD", CLOCK_SHIM);
    const QString reason = run::startRunner(fixture.path(), {QStringLiteral("--approve")});
    qunsetenv("LD_PRELOAD");
    QCOMPARE(reason, QString());
    QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
    for (const study::Run& run : fixture.load().runs) {
        QCOMPARE(run.status, study::RunStatus::Done);
        QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
        const double seconds = std::stod(run.provenance.details.at("seconds"));
        QVERIFY(seconds > 0.0 && seconds < static_cast<double>(clock.elapsed()) / 1000.0);
    }
}

void HostileTest::fullDiskStopsBeforeTheRun()
{
    if (!mayMount)
        QSKIP("this process may not mount a file system");
    StudyFixture fixture({"work", "work"});
    const SmallDisk disk(fixture, 2048);
    QVERIFY(disk.isMounted());
    disk.fill();
    const auto problem = [&disk]() -> std::string {
        try {
            return execute(disk.path()).problem;
        } catch (const std::exception& error) {
            return error.what();
        }
    }();
    QVERIFY2(problem.find("No space left on device") != problem.npos, problem.c_str());
    QCOMPARE(study::countRuns(study::loadStudy(disk.path()).study, study::RunStatus::Pending), 2);
    std::filesystem::remove(disk.ballast());
    QCOMPARE(execute(disk.path()).done, 2);
}

/// The disk is full from one moment on. The result of the run in progress is written all the same, and the
/// experiment goes on when there is room again.
void HostileTest::diskFillsWhileItRuns()
{
    if (!mayMount)
        QSKIP("this process may not mount a file system");
    StudyFixture fixture({"work", "slow", "work"});
    const SmallDisk disk(fixture, 2048);
    QVERIFY(disk.isMounted());
    std::optional<run::RunnerSummary> summary;
    {
        run::Runner runner(disk.path(), {});
        connect(&runner, &run::Runner::ended, this,
                [&summary](const run::RunnerSummary& atTheEnd) { summary = atTheEnd; });
        connect(&runner, &run::Runner::runRecorded, this, [&disk](const study::Run& run) {
            if (run.id == 2 && run.status == study::RunStatus::Running)
                disk.fill();
        });
        runner.start();
        QTRY_VERIFY_WITH_TIMEOUT(summary.has_value(), kPatienceMs);
    }
    QVERIFY2(summary->problem.find("No space left on device") != std::string::npos, summary->problem.c_str());
    const int done = study::countRuns(study::loadStudy(disk.path()).study, study::RunStatus::Done);
    QVERIFY2(done >= 2, "what was measured is lost");
    std::filesystem::remove(disk.ballast());
    QCOMPARE(execute(disk.path()).done, 3 - done);
    for (const study::Run& run : study::loadStudy(disk.path()).study.runs)
        QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
}

void HostileTest::readOnlyFolderIsSaid()
{
    if (!mayMount)
        QSKIP("this process may not mount a file system");
    StudyFixture fixture({"work"});
    const SmallDisk disk(fixture, 1024);
    QVERIFY(disk.isMounted() && disk.makeReadOnly());
    try {
        run::Runner runner(disk.path(), {});
        QFAIL("expected an error");
    } catch (const study::DocumentError& error) {
        const std::string words = error.what();
        QVERIFY2(words.find("Read-only file system") != words.npos, words.c_str());
    }
    QCOMPARE(study::loadStudy(disk.path()).study.runs.size(), std::size_t{1});
    run::Follower follower(disk.path());
    follower.start();
    QVERIFY(!follower.isRunnerAlive());
}

void HostileTest::tornJournalGoesOn()
{
    StudyFixture fixture({"work", "work", "work"});
    {
        study::JournalWriter journal(fixture.path());
        study::Run done = fixture.study().runs[0];
        done.status = study::RunStatus::Done;
        done.results = {{"speed", 123.0}};
        journal.append(done);
    }
    std::ofstream(study::journalPath(fixture.path()), std::ios::app) << R"({"id": 2, "order": 2, "sta)";
    QCOMPARE(execute(fixture.path()).done, 2);
    const study::Study study = fixture.load();
    QCOMPARE(study.runs[0].results.at("speed"), 123.0);
    QCOMPARE(study.runs[1].results.at("speed"), test::trueSpeed(study.runs[1]));
}

int main(int argc, char** argv)
{
    // Once more from the start: the path of a program that was executed outside is not known inside.
    constexpr const char* kMark = "QUADRIC_TEST_MOUNTS";
    if (!qEnvironmentVariableIsSet(kMark)) {
        qputenv(kMark, becomeMounter() ? "yes" : "no");
        ::execv(argv[0], argv);
    }
    mayMount = qgetenv(kMark) == "yes";
    const QCoreApplication application(argc, argv);
    HostileTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "hostile_test.moc"
