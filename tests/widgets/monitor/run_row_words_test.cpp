// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/monitor/run_table.h"

#include <QDateTime>
#include <QTest>

using namespace quadric;
using namespace quadric::widgets;

namespace {

study::Run runWith(int id, study::RunStatus status)
{
    study::Run run;
    run.id = id;
    run.order = 10 + id;
    run.status = status;
    return run;
}

std::string secondsAgo(int seconds)
{
    return QDateTime::currentDateTimeUtc().addSecs(-seconds).toString(Qt::ISODate).toStdString();
}

} // namespace

class RunRowWordsTest : public QObject {
    Q_OBJECT

private slots:
    void aSkippedRunIsToldFromOneThatIsToCome()
    {
        run::RunnerNews news;
        const study::Run run = runWith(4, study::RunStatus::Pending);
        QCOMPARE(statusWords(run, news), QStringLiteral("pending"));
        news.queue = {2, 4};
        QCOMPARE(statusWords(run, news), QStringLiteral("pending"));
        news.queue = {4, 2};
        QCOMPARE(statusWords(run, news), QStringLiteral("pending, comes next"));
        news.queue = {2, 3};
        QCOMPARE(statusWords(run, news), QStringLiteral("pending, skipped this time"));
        news.queue = {};
        news.active[3] = {};
        QCOMPARE(statusWords(run, news), QStringLiteral("pending, skipped this time"));
    }

    void aRepetitionIsInProgressAndCountsItsOwnTime()
    {
        study::Run run = runWith(1, study::RunStatus::Done);
        run.provenance.disturbed = true;
        run.provenance.seconds = 2.5;
        run.provenance.started = secondsAgo(3600);
        QCOMPARE(statusWords(run, {}), QStringLiteral("disturbed"));
        QCOMPARE(timeWords(run, {}), QStringLiteral("2.5 s"));
        run::RunnerNews news;
        news.take(R"({"event": "run-started", "run": {"id": 1, "provenance": {"started": ")" +
                  secondsAgo(30) + R"("}}})");
        QCOMPARE(statusWords(run, news), QStringLiteral("attempt 2: starting"));
        auto started = news;
        started.take(R"({"event": "state", "run_id": 1, "state": ""})");
        QCOMPARE(statusWords(run, started), QStringLiteral("attempt 2: running"));
        const QString time = timeWords(run, news);
        QVERIFY2(time.startsWith(QLatin1Char('3')) && !time.contains(QLatin1String("min")), qPrintable(time));
    }

    void aRepetitionThatIsToComeSaysSo()
    {
        run::RunnerNews news;
        news.queue = {2, 1, 3};
        study::Run crashed = runWith(1, study::RunStatus::Pending);
        crashed.provenance.earlierFailure = study::Failure{"rank-lost", "rank 1 is gone"};
        QCOMPARE(statusWords(crashed, news), QStringLiteral("pending, rerun after: rank lost"));
        crashed.provenance.attempt = 2;
        news.active[1] = {.done = 0.5, .phase = "measure", .waitsFor = {}, .devices = {}};
        crashed.status = study::RunStatus::Running;
        QCOMPARE(statusWords(crashed, news), QStringLiteral("attempt 2: measuring 50 %"));
        study::Run disturbed = runWith(3, study::RunStatus::Done);
        disturbed.provenance.disturbed = true;
        QCOMPARE(statusWords(disturbed, news), QStringLiteral("disturbed, will be rerun"));
        news.queue = {};
        QCOMPARE(statusWords(disturbed, news), QStringLiteral("disturbed"));
    }

    void aCancelledRunIsNoFailedOne()
    {
        study::Run run = runWith(1, study::RunStatus::Failed);
        run.failure = study::Failure{"cancelled", "the run was cancelled on request"};
        QCOMPARE(statusWords(run, {}), QStringLiteral("cancelled"));
        run.failure = study::Failure{"out-of-memory", "needs 9 GiB"};
        QCOMPARE(statusWords(run, {}), QStringLiteral("failed: out of memory"));
    }

    void timesReadAsThoseAbove()
    {
        study::Run run = runWith(1, study::RunStatus::Running);
        run.provenance.started = secondsAgo(120);
        run::RunnerNews news;
        news.active[1] = {.done = 0.5, .phase = "measure", .waitsFor = {}, .devices = {}};
        QVERIFY2(timeWords(run, news).endsWith(QStringLiteral("about 2 minutes left")),
                 qPrintable(timeWords(run, news)));
    }

    void aRunIsFoundByItsNumber()
    {
        study::Study study;
        study.runs = {runWith(7, study::RunStatus::Pending)};
        RunTableModel model;
        model.setStudy(study);
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Run"));
        QCOMPARE(model.index(0, 0).data().toInt(), 17);
        QCOMPARE(model.index(0, 1).data().toInt(), 7);
    }
};

QUADRIC_QT_TEST(RunRowWordsTest)
#include "run_row_words_test.moc"
