// SPDX-License-Identifier: GPL-3.0-or-later
// Disks that are full or read-only, a journal that is torn: what was measured stays, and the experiment goes
// on.
#include "core/run/follow/follower.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QFile>
#include <QTest>

#include <fstream>
#include <optional>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

using namespace quadric;
using test::execute;
using test::StudyFixture;

namespace {

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

/// Once more from the start: the path of a program that was executed outside is not known inside.
void restartWithMounts(char** argv)
{
    constexpr const char* kMark = "QUADRIC_TEST_MOUNTS";
    if (!qEnvironmentVariableIsSet(kMark)) {
        qputenv(kMark, becomeMounter() ? "yes" : "no");
        ::execv("/proc/self/exe", argv);
    }
    mayMount = qgetenv(kMark) == "yes";
}

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

class DiskTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker")); }

    void fullDiskStopsBeforeTheRun()
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

    /// The disk is full from one moment on. The result of the run in progress is written all the same, and
    /// the experiment goes on when there is room again.
    void diskFillsWhileItRuns()
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
        QVERIFY2(summary->problem.find("No space left on device") != std::string::npos,
                 summary->problem.c_str());
        const int done = study::countRuns(study::loadStudy(disk.path()).study, study::RunStatus::Done);
        QVERIFY2(done >= 2, "what was measured is lost");
        std::filesystem::remove(disk.ballast());
        QCOMPARE(execute(disk.path()).done, 3 - done);
        for (const study::Run& run : study::loadStudy(disk.path()).study.runs)
            QCOMPARE(run.results.at("speed"), test::trueSpeed(run));
    }

    void readOnlyFolderIsSaid()
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

    void tornJournalGoesOn()
    {
        StudyFixture fixture({"work", "work", "work"});
        {
            study::JournalWriter journal(fixture.path());
            study::Run done = fixture.study().runs[0];
            done.status = study::RunStatus::Done;
            done.results = {{"speed", 123.0}};
            journal.append(done);
        }
        std::ofstream(study::journalPath(fixture.path()), std::ios::app) << "{\"id\": 2, \"order\": 2, \"sta";
        QCOMPARE(execute(fixture.path()).done, 2);
        const study::Study study = fixture.load();
        QCOMPARE(study.runs[0].results.at("speed"), 123.0);
        QCOMPARE(study.runs[1].results.at("speed"), test::trueSpeed(study.runs[1]));
    }
};

QUADRIC_QT_TEST(DiskTest, restartWithMounts)
#include "disk_test.moc"
