// SPDX-License-Identifier: GPL-3.0-or-later
// What a runner keeps in memory of a run that is done is its record, and nothing else. By hand with
// GLIBC_TUNABLES=glibc.malloc.tcache_count=0, as CTest does.
#include "core/run/runner/runner.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QEventLoop>
#include <QTest>

#include <malloc.h>

using namespace quadric;
using test::StudyFixture;

namespace {

constexpr int kFirst = 100, kLast = 1000;

/// A record that was built piece by piece has lists with room to spare, of which a copy has none (about
/// 70 bytes); the end of a run's output alone would be ten times as much.
constexpr double kSpareRoom = 160.0;

double bytesInUse()
{
    const struct mallinfo2 info = ::mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

/// Of the records that the study has from kFirst to kLast − 1.
double bytesOfRecords(const study::Study& study)
{
    const double before = bytesInUse();
    const std::vector<study::Run> copies(study.runs.begin() + kFirst - 1, study.runs.begin() + kLast - 1);
    return copies.empty() ? 0.0 : bytesInUse() - before;
}

} // namespace

class GrowthTest : public QObject {
    Q_OBJECT

private slots:
    void aThousandRunsLeaveTheirRecords()
    {
        qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker"));
        const StudyFixture fixture(std::vector<std::string>(kLast, "work"));
        const double ofPendingRuns = bytesOfRecords(fixture.load());
        QEventLoop loop;
        run::Runner runner(fixture.path(), {});
        double early = 0.0, late = 0.0;
        connect(&runner, &run::Runner::ended, &loop, [&loop] { loop.quit(); });
        connect(&runner, &run::Runner::runRecorded, this, [&early, &late](const study::Run& run) {
            if (run.status == study::RunStatus::Running && (run.id == kFirst || run.id == kLast))
                (run.id == kFirst ? early : late) = bytesInUse();
        });
        runner.start();
        loop.exec();
        QCOMPARE(study::countRuns(fixture.load(), study::RunStatus::Done), kLast);
        const double ofResults = bytesOfRecords(fixture.load()) - ofPendingRuns;
        const QString words = QStringLiteral("%1 KiB more in use, %2 KiB of them in the records of %3 runs")
                                  .arg((late - early) / 1024.0, 0, 'f', 0)
                                  .arg(ofResults / 1024.0, 0, 'f', 0)
                                  .arg(kLast - kFirst);
        qInfo("%s", qPrintable(words));
        QVERIFY2(late - early < ofResults + kSpareRoom * (kLast - kFirst), qPrintable(words));
    }
};

QUADRIC_QT_TEST(GrowthTest)
#include "growth_test.moc"
