// SPDX-License-Identifier: GPL-3.0-or-later
// What the Run page follows, lights and says while experiments begin, go on, end and give way to others.
#include "core/study/run_records.h"
#include "tests/support/qt_tests.h"
#include "widgets/monitor/live_chart.h"
#include "widgets/monitor/run_bar.h"
#include "widgets/monitor/run_details.h"
#include "widgets/monitor/run_page.h"
#include "widgets/monitor/run_table.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <algorithm>

using namespace quadric;
using namespace quadric::widgets;

namespace {

study::Study ranksStudy(int runs)
{
    study::Study study;
    study.factors = {{.name = "ranks", .type = study::FactorType::Integer, .low = 1, .high = 2}};
    study.responses = {{.name = "speed"}};
    for (int i = 1; i <= runs; ++i)
        study.runs.push_back({.id = i, .order = i, .settings = {{"ranks", 1.0 + i % 2}}});
    return study;
}

study::Study withFailures(int runs, int failed)
{
    study::Study study = ranksStudy(runs);
    for (int i = 0; i < failed; ++i) {
        study.runs[i].status = study::RunStatus::Failed;
        study.runs[i].failure = study::Failure{"exit-status", "Exit status 1."};
    }
    return study;
}

ContextPointer savedContext(study::Study study, bool isRunning = false, const char* path = "/a/s.quadric")
{
    return std::make_shared<const StudyContext>(StudyContext{std::move(study), {}, path, isRunning});
}

run::RunnerNews newsOf(int run)
{
    run::RunnerNews news;
    news.active[run] = {.done = 0.5, .phase = "measure", .waitsFor = {}, .devices = {}};
    return news;
}

/// Runs whose rows are lit.
QList<int> litRuns(const RunPage& page)
{
    QList<int> runs;
    for (const QModelIndex& row : page.findChild<QTableView*>()->selectionModel()->selectedRows())
        runs << row.data(RunTableModel::RunIdRole).toInt();
    std::ranges::sort(runs);
    return runs;
}

QAbstractButton* buttonOf(const RunPage& page, const QString& words)
{
    for (auto* button : page.findChildren<QAbstractButton*>())
        if (button->isVisibleTo(&page) && QString(button->text()).remove(QLatin1Char('&')) == words)
            return button;
    return nullptr;
}

void clickRow(const RunPage& page, int row, Qt::KeyboardModifiers modifiers = {})
{
    auto* table = page.findChild<QTableView*>();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers,
                      table->visualRect(table->model()->index(row, 0)).center());
}

QString said(const RunPage& page)
{
    const auto* bar = page.findChild<MessageBar*>();
    return bar->isVisibleTo(&page) ? bar->words() : QString();
}

QStringList chartsOf(const RunPage& page)
{
    QCoreApplication::sendPostedEvents(); // layouts
    QCoreApplication::processEvents();
    QStringList places;
    for (const LiveChart* chart : page.findChildren<LiveChart*>())
        if (chart->isVisibleTo(&page))
            places
                << QStringLiteral("%1 at %2,%3").arg(chart->accessibleName()).arg(chart->x()).arg(chart->y());
    places.sort();
    return places;
}

run::RunSamples samplesOf(bool hasSteps)
{
    run::RunSamples samples;
    for (const double seconds : {0.5, 1.0, 1.5}) {
        samples.machine.push_back({.seconds = seconds,
                                   .clockMhz = 2600.0,
                                   .powerW = {},
                                   .temperatureC = {},
                                   .busyPct = {},
                                   .foreignPct = 1.0});
        if (hasSteps)
            samples.steps.push_back({seconds, 40.0});
    }
    return samples;
}

} // namespace

class RunPageFollowingTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsSaidPickedAndSearchedBelongsToOneStudy()
    {
        RunPage page;
        page.setContext(savedContext(ranksStudy(3)));
        page.showMessage({QStringLiteral("Finished: 3 runs done"), RunMessage::Severity::Good});
        page.pickRuns(2);
        page.showLog(2, QStringLiteral("loss 1\n"), true);
        auto* search = page.findChild<LogPanel*>()->findChild<QLineEdit*>();
        search->setText(QStringLiteral("loss"));
        QCOMPARE(said(page), QStringLiteral("Finished: 3 runs done"));
        page.setContext(savedContext(ranksStudy(3), false, "/a/other.quadric"));
        QCOMPARE(said(page), QString());
        QCOMPARE(litRuns(page), QList<int>());
        QVERIFY(search->text().isEmpty());
        QVERIFY(page.findChild<QPlainTextEdit*>()->toPlainText().isEmpty());
        // The same study, edited: all of it stays.
        page.showMessage({QStringLiteral("Stopping.")});
        page.pickRuns(1);
        page.setContext(savedContext(ranksStudy(4), false, "/a/other.quadric"));
        QCOMPARE(said(page), QStringLiteral("Stopping."));
        QCOMPARE(litRuns(page), QList<int>{1});
    }

    void whatIsNamedCanBeMended()
    {
        RunPage page;
        page.setContext(savedContext(ranksStudy(3)));
        page.showMessage({QStringLiteral("Not started: {optimiser} is not a factor."),
                          RunMessage::Severity::Error, RunMessage::Remedy::EditMeasurement});
        QSignalSpy edited(&page, &RunPage::editRequested);
        buttonOf(page, QStringLiteral("Edit measurement…"))->click();
        QCOMPARE(edited.count(), 1);
        page.showMessage({QStringLiteral("The runner stopped unexpectedly (killed)."),
                          RunMessage::Severity::Error, RunMessage::Remedy::Start});
        QSignalSpy started(&page, &RunPage::startRequested);
        buttonOf(page, QStringLiteral("Resume"))->click();
        QCOMPARE(started.count(), 1);
        QVERIFY(!buttonOf(page, QStringLiteral("Edit measurement…")));
    }

    void failedRunsAreRetriedTogether()
    {
        RunPage page;
        page.setContext(savedContext(withFailures(23, 19)));
        QVERIFY2(said(page).startsWith(QStringLiteral("19 runs failed.")), qPrintable(said(page)));
        QSignalSpy changed(&page, &Page::changeRequested);
        QSignalSpy started(&page, &RunPage::startRequested);
        buttonOf(page, QStringLiteral("Retry 19 failed runs"))->click();
        QCOMPARE(changed.count(), 1); // one step to undo
        const auto after = changed[0][0].value<study::Study>();
        QCOMPARE(study::countRuns(after, study::RunStatus::Pending), 23);
        QCOMPARE(started.count(), 1);
    }

    void cancelledRunsAreNoneOfThem()
    {
        RunPage page;
        study::Study study = withFailures(5, 2);
        study.runs[1].failure = study::Failure{"cancelled", "the run was cancelled on request"};
        page.setContext(savedContext(study));
        QVERIFY(buttonOf(page, QStringLiteral("Retry 1 failed run")));
        const auto labels = page.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text() == QStringLiteral("0 of 5 runs done · 1 failed · 1 cancelled");
        }));
    }

    void theRunnerAsksWhetherToGoOn()
    {
        RunPage page;
        page.setContext(savedContext(withFailures(23, 3), true));
        run::RunnerNews news;
        news.isPaused = true;
        news.pausedBecause = "3 runs in a row failed in the same way: Exit status 1.";
        news.queue = {4, 5};
        page.showNews(news);
        QCOMPARE(said(page), QString::fromStdString(news.pausedBecause));
        QSignalSpy asked(&page, &RunPage::controlRequested);
        buttonOf(page, QStringLiteral("Go on anyway"))->click();
        QCOMPARE(asked[0][0].value<run::ControlRequest>().action, run::ControlAction::Resume);
        QSignalSpy stopped(&page, &RunPage::stopRequested);
        page.findChild<QPushButton*>(QStringLiteral("stopRuns"))->click();
        QCOMPARE(stopped.count(), 1);
        page.showNews(newsOf(4));
        QCOMPARE(said(page), QString());
    }

    void afterTheStartTheRunInProgressIsFollowed()
    {
        RunPage page;
        QSignalSpy watched(&page, &RunPage::watchRequested);
        QSignalSpy picked(&page, &Page::runsPicked);
        page.setContext(savedContext(ranksStudy(5)));
        page.pickRuns(4);
        buttonOf(page, QStringLiteral("Start 5 runs"))->click();
        QCOMPARE(picked.last()[0].value<PickedRuns>().current, -1); // for the other pages
        page.setContext(savedContext(ranksStudy(5), true));
        for (const int run : {1, 2}) {
            page.showNews(newsOf(run));
            QCOMPARE(watched.last()[0].toInt(), run);
            QCOMPARE(litRuns(page), QList<int>{run});
        }
        page.show();
        QTest::keyPress(&page, Qt::Key_Control, Qt::ControlModifier); // whatever the user is about to do
        page.showNews(newsOf(3));
        QTest::keyRelease(&page, Qt::Key_Control);
        QCOMPARE(litRuns(page), QList<int>{3});
    }

    void whatIsPickedAfterTheStartStays()
    {
        RunPage page;
        page.resize(1000, 800);
        page.setContext(savedContext(ranksStudy(5)));
        page.show();
        buttonOf(page, QStringLiteral("Start 5 runs"))->click();
        clickRow(page, 2); // before the runner is there
        page.setContext(savedContext(ranksStudy(5), true));
        page.showNews(newsOf(1));
        QCOMPARE(litRuns(page), QList<int>{3});
        page.pickRuns(-1);
        QCOMPARE(litRuns(page), QList<int>{1});
        clickRow(page, 0); // lit already, and now picked
        page.showNews(newsOf(2));
        QCOMPARE(litRuns(page), QList<int>{1});
    }

    /// Faster than anybody looks.
    void aRunThatIsOverAtOnceIsShown()
    {
        RunPage page;
        QSignalSpy watched(&page, &RunPage::watchRequested);
        page.setContext(savedContext(ranksStudy(3)));
        buttonOf(page, QStringLiteral("Start 3 runs"))->click();
        page.setContext(savedContext(ranksStudy(3), true));
        page.setContext(savedContext(withFailures(3, 1), true));
        QCOMPARE(watched.last()[0].toInt(), 1);
        QCOMPARE(litRuns(page), QList<int>{1});
        page.setContext(savedContext(withFailures(3, 2), true));
        QCOMPARE(watched.last()[0].toInt(), 2);
        page.showNews(newsOf(3));
        QCOMPARE(watched.last()[0].toInt(), 3);
    }

    void anExperimentThatSomebodyElseStartsIsFollowed()
    {
        RunPage page;
        page.setContext(savedContext(ranksStudy(5)));
        page.pickRuns(4);
        page.setContext(savedContext(ranksStudy(5), true));
        page.showNews(newsOf(2));
        QCOMPARE(litRuns(page), QList<int>{2});
    }

    void litRowsStayLitWhenTheTableGrows()
    {
        RunPage page;
        study::Study study = ranksStudy(5);
        page.resize(1000, 800);
        page.setContext(savedContext(study));
        page.show();
        clickRow(page, 1);
        clickRow(page, 3, Qt::ControlModifier);
        QCOMPARE(litRuns(page), (QList<int>{2, 4}));
        study::Run baseline;
        baseline.id = baseline.order = 6;
        baseline.kind = study::RunKind::Baseline;
        baseline.settings = {{"ranks", 1.0}};
        study::insertOrReplaceBaseline(study, baseline); // above all rows
        page.setContext(savedContext(study));
        QCOMPARE(litRuns(page), (QList<int>{2, 4}));
        study.runs.push_back({.id = 7, .order = 7, .settings = {{"ranks", 1.0}}});
        study.responses.push_back({.name = "loss"});
        page.setContext(savedContext(study));
        QCOMPARE(litRuns(page), (QList<int>{2, 4}));
        std::erase_if(study.runs, [](const study::Run& run) { return run.id == 4; });
        page.setContext(savedContext(study));
        QCOMPARE(litRuns(page), QList<int>{2});
    }

    void severalRunsAreActedOnTogether()
    {
        RunPage page;
        study::Study study = withFailures(6, 2);
        study.runs[2].status = study.runs[3].status = study::RunStatus::Done;
        study.runs[2].results = study.runs[3].results = {{"speed", 1.0}};
        page.resize(1000, 800);
        page.setContext(savedContext(study));
        page.show();
        clickRow(page, 0);
        clickRow(page, 4, Qt::ShiftModifier); // failed, failed, done, done, pending
        QSignalSpy changed(&page, &Page::changeRequested);
        buttonOf(page, QStringLiteral("Rerun 4 runs"))->click();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(study::countRuns(changed[0][0].value<study::Study>(), study::RunStatus::Pending), 6);
        buttonOf(page, QStringLiteral("Exclude 2 runs from models"))->click();
        const auto excluded = changed[1][0].value<study::Study>();
        QCOMPARE(study::countRuns(excluded, study::RunStatus::Excluded), 2);
        QCOMPARE(changed[1][1].toString(), QStringLiteral("Exclude 2 runs"));
        page.setContext(savedContext(excluded));
        buttonOf(page, QStringLiteral("Include 2 runs in models"))->click();
        QCOMPARE(study::countRuns(changed[2][0].value<study::Study>(), study::RunStatus::Done), 2);

        page.setContext(savedContext(study, true));
        run::RunnerNews news = newsOf(6);
        news.queue = {5};
        page.showNews(news);
        clickRow(page, 0);
        clickRow(page, 5, Qt::ShiftModifier);
        QSignalSpy asked(&page, &RunPage::controlRequested);
        buttonOf(page, QStringLiteral("Skip 2 runs"))->click();
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked[0][0].value<run::ControlRequest>().run, 5);
        QCOMPARE(asked[1][0].value<run::ControlRequest>().run, 6);
        QVERIFY(buttonOf(page, QStringLiteral("Cancel"))); // only the one in progress
    }

    void controlFGoesToTheSearchOfTheLog()
    {
        RunPage page;
        page.setContext(savedContext(ranksStudy(2)));
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page, kPatienceMs));
        auto* tabs = page.findChild<QTabWidget*>();
        tabs->setCurrentIndex(1);
        auto* table = page.findChild<QTableView*>();
        table->setFocus();
        QTest::keySequence(table, QKeySequence::Find);
        QCOMPARE(tabs->currentIndex(), 0);
        QVERIFY(page.findChild<LogPanel*>()->findChild<QLineEdit*>()->hasFocus());
    }

    /// Places are taken before anything is told, and stay from run to run.
    void chartsStayWhereTheyAre()
    {
        RunPage page;
        page.resize(1200, 900);
        study::Study study = ranksStudy(3);
        study.runs[0].status = study::RunStatus::Running;
        page.setContext(savedContext(study, true));
        page.showNews(newsOf(1));
        page.show();
        const QStringList before = chartsOf(page);
        QCOMPARE(before.size(), 6);
        page.showSamples(1, samplesOf(false), true);
        QCOMPARE(chartsOf(page), before);
        page.showSamples(1, samplesOf(true), true);
        QCOMPARE(chartsOf(page), before);

        study.runs[0].status = study::RunStatus::Done;
        study.runs[1].status = study::RunStatus::Running;
        page.setContext(
            savedContext(study, true)); // what this machine does not tell has no place from here on
        const QStringList after = chartsOf(page);
        QCOMPARE(after.size(), 4);
        page.showNews(newsOf(2));
        QCOMPARE(chartsOf(page), after);
        page.showSamples(2, samplesOf(false), true);
        QCOMPARE(chartsOf(page), after);
        page.showSamples(2, samplesOf(true), true);
        QCOMPARE(chartsOf(page), after);
    }

    void atTheEndTheButtonLeadsToTheResults()
    {
        RunPage page;
        study::Study study = ranksStudy(2);
        for (study::Run& run : study.runs) {
            run.status = study::RunStatus::Done;
            run.results = {{"speed", 1.0}};
        }
        page.setContext(savedContext(study));
        QSignalSpy steps(&page, &Page::stepRequested);
        buttonOf(page, QStringLiteral("Explore results"))->click();
        QCOMPARE(steps[0][0].value<Step>(), Step::Explore);
        page.setContext(savedContext(withFailures(2, 2)));
        QVERIFY(!buttonOf(page, QStringLiteral("No runs pending"))->isEnabled());
    }

    void whatTheRestTakesIsSaidBeforeTheStart()
    {
        RunPage page;
        study::Study study = ranksStudy(4);
        page.setContext(savedContext(study));
        study.benchmark.workload = "command";
        page.setContext(savedContext(study));
        const auto says = [&page](const QString& words) {
            const auto labels = page.findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) {
                return label->isVisibleTo(&page) && label->text().contains(words);
            });
        };
        QVERIFY(!says(QStringLiteral("take about")));
        study.runs[0].status = study::RunStatus::Done;
        study.runs[0].results = {{"speed", 1.0}};
        study.runs[0].provenance.seconds = 60.0;
        page.setContext(savedContext(study));
        QVERIFY(says(QStringLiteral("3 runs take about 3 min")));
        study = ranksStudy(10); // the built-in workload has a limit
        study.benchmark.workload = "builtin";
        study.fixed["max_seconds"] = 57.0;
        page.setContext(savedContext(study));
        QVERIFY(says(QStringLiteral("10 runs take about 10 min")));
    }

    void simulatedDataAreMarked()
    {
        RunPage page;
        study::Study study = ranksStudy(2);
        page.setContext(savedContext(study));
        const auto* mark = page.findChild<QLabel*>(QStringLiteral("simulated"));
        QVERIFY(!mark->isVisibleTo(&page));
        study.runs[0].status = study::RunStatus::Done;
        study.runs[0].results = {{"speed", 1.0}};
        study.runs[0].provenance.source = study::Source::Simulated;
        page.setContext(savedContext(study));
        QVERIFY(mark->isVisibleTo(&page));
    }
};

QUADRIC_QT_TEST(RunPageFollowingTest)
#include "run_page_following_test.moc"
