// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/run_records.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/page.h"
#include "widgets/design/matrix/run_matrix_view.h"
#include "widgets/monitor/live_chart.h"
#include "widgets/monitor/run_details.h"
#include "widgets/monitor/run_page.h"
#include "widgets/monitor/run_table.h"

#include <QAbstractItemModelTester>
#include <QChart>
#include <QComboBox>
#include <QGraphicsScene>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QValueAxis>

#include <stdexcept>

using namespace quadric;
using namespace quadric::widgets;

namespace {

const QChart& chartOf(const LiveChart& chart)
{
    for (const QGraphicsItem* item : chart.findChild<QGraphicsScene*>()->items())
        if (const auto* found = dynamic_cast<const QChart*>(item))
            return *found;
    throw std::logic_error("no chart in the scene");
}

study::Study studyOf(int runs, const std::string& workload)
{
    study::Study study;
    study.factors = {
        {.name = "ranks", .unit = "ranks", .type = study::FactorType::Integer, .low = 1, .high = 2}};
    study.responses = {{.name = "images_per_sec", .unit = "img/s"}, {.name = "step_ms", .unit = "ms"}};
    study.benchmark.workload = workload;
    for (int i = 0; i < runs; ++i)
        study.runs.push_back({.id = i + 1, .order = runs - i, .settings = {{"ranks", 1.0 + i % 2}}});
    return study;
}

ContextPointer contextOf(study::Study study, bool isRunning = false)
{
    return std::make_shared<const StudyContext>(StudyContext{std::move(study), {}, {}, isRunning});
}

run::RunnerNews newsOf(int run, double done)
{
    run::RunnerNews news;
    news.active[run] = {.done = done, .phase = "measure", .waitsFor = {}, .devices = {}};
    return news;
}

/// The actions of the picked run that are offered now.
QStringList offered(const QWidget& page)
{
    QStringList names;
    for (const QToolButton* button : page.findChildren<QToolButton*>())
        if (button->defaultAction() && button->isVisibleTo(&page))
            names << button->text();
    return names;
}

void choose(const QWidget& page, const QString& action)
{
    for (QToolButton* button : page.findChildren<QToolButton*>())
        if (button->defaultAction() && button->text() == action)
            return button->click();
    QFAIL("no such action");
}

study::Study studyWithDisturbedRun()
{
    study::Study study = studyOf(3, "builtin");
    study.runs[0].status = study::RunStatus::Done;
    study.runs[0].results = {{"images_per_sec", 100.0}, {"step_ms", 10.0}};
    study.runs[0].provenance.disturbed = true;
    study.runs[0].provenance.disturbedBecause = "GPU 0 was shared with blender";
    study.runs[1].status = study::RunStatus::Failed;
    study.runs[1].failure = study::Failure{"out-of-memory", "needs 9 GiB", {}};
    return study;
}

QPushButton* buttonWith(const QWidget& page, const QString& words)
{
    for (QPushButton* button : page.findChildren<QPushButton*>())
        if (button->text().remove('&').contains(words))
            return button;
    return nullptr;
}

bool shows(const QWidget& page, const QString& words)
{
    for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->isVisibleTo(&page) && label->text().contains(words))
            return true;
    return false;
}

} // namespace

class RunPageTest : public QObject {
    Q_OBJECT

private slots:
    void modelKeepsItsPromises()
    {
        RunTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        study::Study study = studyOf(4, "builtin");
        model.setStudy(study);
        study.runs[0].status = study::RunStatus::Running;
        model.setStudy(study);
        model.setNews(newsOf(1, 0.42));
        QCOMPARE(model.rowOf(1), 3);
        QCOMPARE(model.index(3, model.statusColumn()).data().toString(), QStringLiteral("measuring 42 %"));
        study.runs[0].status = study::RunStatus::Done;
        model.setStudy(study);
        model.setNews({});
        QCOMPARE(model.index(3, model.statusColumn()).data().toString(), QStringLiteral("done"));
        model.setStudy(studyOf(2, "builtin"));
        QCOMPARE(model.rowCount(), 2);
    }

    void rowsStandInRunOrder()
    {
        RunTableModel model;
        model.setStudy(studyOf(3, "builtin"));
        for (int row = 0; row < 3; ++row)
            QCOMPARE(model.index(row, 0).data().toInt(), row + 1);
        QCOMPARE(model.index(0, 0).data(RunTableModel::RunIdRole).toInt(), 3);
    }

    void baselinesStandAboveTheRunsAndCountNowhere()
    {
        RunTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        study::Study study = studyOf(3, "builtin");
        model.setStudy(study);
        study::Run baseline;
        baseline.id = baseline.order = 4;
        baseline.kind = study::RunKind::Baseline;
        baseline.settings = {{"ranks", 1.0}, {"batch_per_rank", 64.0}};
        baseline.status = study::RunStatus::Running;
        study::insertOrReplaceBaseline(study, baseline);
        model.setStudy(study);
        model.setNews(newsOf(4, 0.5));
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.rowOf(4), 0);
        QCOMPARE(model.index(0, 0).data().toString(), QString());
        QCOMPARE(model.index(0, 2).data().toString(), QStringLiteral("baseline"));
        QCOMPARE(model.index(0, 3).data().toString(), QStringLiteral("1"));
        QCOMPARE(model.index(0, model.statusColumn()).data().toString(), QStringLiteral("measuring 50 %"));
        QCOMPARE(model.index(1, 0).data().toInt(), 1);
        baseline.status = study::RunStatus::Done;
        baseline.results = {{"images_per_sec", 100.0}};
        study::insertOrReplaceBaseline(study, baseline);
        RunPage page;
        page.setContext(contextOf(study));
        QVERIFY(shows(page, QStringLiteral("0 of 3 runs done")));
        QVERIFY(buttonWith(page, QStringLiteral("Start 3 runs")) != nullptr);
        page.pickRuns(4);
        QCOMPARE(offered(page), (QStringList{"Rerun"}));
        QSignalSpy changes(&page, &Page::changeRequested);
        choose(page, "Rerun");
        QCOMPARE(changes[0][0].value<study::Study>().baselines.front().status, study::RunStatus::Pending);
    }

    void withoutRunsThePageLeadsToTheDesign()
    {
        RunPage page;
        page.setContext(contextOf(studyOf(0, "builtin")));
        QVERIFY(shows(page, QStringLiteral("no runs yet")));
        QSignalSpy steps(&page, &Page::stepRequested);
        QTest::mouseClick(buttonWith(page, QStringLiteral("Go to Design")), Qt::LeftButton);
        QCOMPARE(steps.count(), 1);
        QCOMPARE(steps[0][0].value<Step>(), Step::Design);
    }

    void theButtonStartsAndStops()
    {
        RunPage page;
        page.setContext(contextOf(studyOf(3, "builtin")));
        QSignalSpy started(&page, &RunPage::startRequested);
        QSignalSpy stopped(&page, &RunPage::stopRequested);
        QTest::mouseClick(buttonWith(page, QStringLiteral("Start 3 runs")), Qt::LeftButton);
        QCOMPARE(started.count(), 1);
        page.setContext(contextOf(studyOf(3, "builtin"), true));
        run::RunnerNews news;
        news.remaining = run::TimeLeft{130.0, 120.0, 140.0};
        page.showNews(news);
        QVERIFY(shows(page, QStringLiteral("about 2 minutes left")));
        news.remaining = run::TimeLeft{720.0, 600.0, 960.0};
        page.showNews(news);
        QVERIFY(shows(page, QStringLiteral("about 12 minutes left (10 to 16)")));
        QTest::mouseClick(buttonWith(page, QStringLiteral("Stop")), Qt::LeftButton);
        QCOMPARE(stopped.count(), 1);
    }

    void runsAtOnceAreChosenBesideTheButton()
    {
        RunPage page;
        study::Study study = studyOf(3, "builtin");
        page.setContext(contextOf(study));
        auto* atOnce = page.findChild<QSpinBox*>();
        QVERIFY(atOnce->isVisibleTo(&page));
        QCOMPARE(atOnce->value(), 1);
        QSignalSpy changes(&page, &Page::changeRequested);
        atOnce->setValue(3);
        QCOMPARE(changes.count(), 1);
        study = changes[0][0].value<study::Study>();
        QCOMPARE(study.benchmark.parallel, 3);
        page.setContext(contextOf(study, true));
        QVERIFY(!atOnce->isEnabled()); // from the next start on
        QCOMPARE(atOnce->value(), 3);
        QCOMPARE(changes.count(), 1);
        study.benchmark.launcher = study::LauncherKind::Slurm;
        page.setContext(contextOf(study));
        QVERIFY(!atOnce->isVisibleTo(&page));
        page.setContext(contextOf(studyOf(3, "none")));
        QVERIFY(!atOnce->isVisibleTo(&page));
    }

    void baselinesAreChosenWhereAnEfficiencyIsAskedFor()
    {
        RunPage page;
        study::Study study = studyOf(3, "builtin");
        page.setContext(contextOf(study));
        auto* baseline = page.findChild<QComboBox*>(QStringLiteral("baseline"));
        QVERIFY(!baseline->isVisibleTo(&page));
        study.responses.push_back({.name = "scaling_efficiency", .unit = "%"});
        page.setContext(contextOf(study));
        QVERIFY(baseline->isVisibleTo(&page));
        QCOMPARE(baseline->currentText(), QStringLiteral("shared"));
        QSignalSpy changes(&page, &Page::changeRequested);
        QTest::keyClick(baseline, Qt::Key_Down);
        study = changes.last()[0].value<study::Study>();
        QVERIFY(study.benchmark.baseline == study::BaselineMode::Own);
        QTest::keyClick(baseline, Qt::Key_Down);
        QVERIFY(changes.last()[0].value<study::Study>().benchmark.baseline == study::BaselineMode::Off);
        page.setContext(contextOf(study, true));
        QVERIFY(!baseline->isEnabled()); // from the next start on
        QCOMPARE(baseline->currentText(), QStringLiteral("one in each run"));
        study.benchmark.unknown["baseline"] = "7";
        page.setContext(contextOf(study));
        QVERIFY(!baseline->isVisibleTo(&page)); // written by another hand: nothing of it is overwritten
    }

    void whatKeepsResultsFromTheStudyStandsAboveEverything()
    {
        RunPage page;
        page.setContext(contextOf(studyOf(3, "builtin"), true));
        const auto* banner = page.findChild<Banner*>(QStringLiteral("problem"));
        QVERIFY(!banner->isVisibleTo(&page));
        page.showProblem(QStringLiteral("The study <b>cannot</b> be written"));
        QVERIFY(banner->isVisibleTo(&page));
        QCOMPARE(banner->words(), QStringLiteral("The study <b>cannot</b> be written"));
        page.showProblem({});
        QVERIFY(!banner->isVisibleTo(&page));
    }

    void noTwoTicksOfAChartReadTheSame()
    {
        for (const double width : {0.001, 0.02, 0.3, 1.0, 2.7, 9.0, 55.0, 4000.0}) {
            LiveChart chart(QStringLiteral("Step time"), QStringLiteral("ms"));
            chart.setPoints({{0.4, 100.0}, {0.4 + width, 100.0 + width}});
            for (QAbstractAxis* each : chartOf(chart).axes()) {
                const auto* axis = qobject_cast<QValueAxis*>(each);
                QSet<QString> labels;
                for (int i = 0; i < axis->tickCount(); ++i) {
                    const double part = static_cast<double>(i) / (axis->tickCount() - 1);
                    labels << QString::asprintf(axis->labelFormat().toLatin1().constData(),
                                                axis->min() + part * (axis->max() - axis->min()));
                }
                QCOMPARE(labels.size(), axis->tickCount());
            }
        }
    }

    void severalRunsAtWorkShowTheirDevices()
    {
        RunPage page;
        study::Study study = studyOf(3, "builtin");
        for (const std::size_t i : {0, 1})
            study.runs[i].status = study::RunStatus::Running;
        page.setContext(contextOf(study, true));
        QVERIFY(shows(page, QStringLiteral("2 runs at work")));
        run::RunnerNews news = newsOf(1, 0.5);
        news.active[1].devices = {{0, 1}, "0-7"};
        news.active[2] = {.done = 0.25, .phase = "measure", .waitsFor = {}, .devices = {{}, "8-15"}};
        page.showNews(news);
        const QAbstractItemModel* model = page.findChild<QTableView*>()->model();
        const int status = model->columnCount() - 1;
        QCOMPARE(model->index(2, status).data().toString(),
                 QStringLiteral("measuring 50 % on GPU 0, 1 · CPU 0-7"));
        QCOMPARE(model->index(1, status).data().toString(), QStringLiteral("measuring 25 % on CPU 8-15"));
    }

    void theRunInProgressIsInSight()
    {
        RunPage page;
        page.resize(900, 600);
        page.setContext(contextOf(studyOf(60, "builtin"), true));
        page.show();
        const auto* table = page.findChild<QTableView*>();
        const auto isInSight = [table](int row) {
            return table->viewport()->rect().intersects(table->visualRect(table->model()->index(row, 0)));
        };
        QVERIFY(!isInSight(59));
        page.showNews(newsOf(1, 0.5)); // the last in run order
        QVERIFY(isInSight(59));
    }

    void whatIsSaidOfAnEmptyLogFollowsTheRun()
    {
        RunPage page;
        study::Study study = studyOf(1, "builtin");
        study.runs[0].status = study::RunStatus::Running;
        page.setContext(contextOf(study, true));
        page.showNews(newsOf(1, 0.5));
        const auto* log = page.findChild<QPlainTextEdit*>();
        QCOMPARE(log->placeholderText(), QStringLiteral("No output yet."));
        study.runs[0].status = study::RunStatus::Done;
        page.setContext(contextOf(study, true));
        page.showNews({});
        QVERIFY2(log->placeholderText().startsWith(QStringLiteral("No output")),
                 qPrintable(log->placeholderText()));
    }

    void oneRunIsCountedAsOne()
    {
        RunPage page;
        study::Study study = studyOf(1, "builtin");
        study.runs[0].status = study::RunStatus::Done;
        page.setContext(contextOf(study));
        QVERIFY(shows(page, QStringLiteral("The only run is done")));
    }

    void aStudyThatLaunchesNothingIsASheetToTypeInto()
    {
        RunPage page;
        study::Study study = studyOf(3, "none");
        page.setContext(contextOf(study));
        QObject::connect(&page, &Page::changeRequested, &page, [&](const study::Study& after) {
            study = after;
            page.setContext(contextOf(study));
        });
        page.resize(900, 600);
        page.show();
        QVERIFY(shows(page, QStringLiteral("0 of 3 entered")));
        QVERIFY(shows(page, QStringLiteral("Next: run 3 (run order 1): "))); // in run order
        for (const char* none : {"Log", "Rerun", "Measure again", "not been started"})
            QVERIFY2(!shows(page, QLatin1String(none)), none);
        QCOMPARE(offered(page), QStringList());
        auto* view = page.findChild<RunMatrixView*>();
        QTest::mouseClick(page.findChild<QPushButton*>("entryNext"), Qt::LeftButton);
        for (const char* typed : {"1234.5", "42"}) {
            QTest::keyClick(view, typed[0]); // a key begins, as in every spreadsheet
            auto* editor = view->findChild<QLineEdit*>();
            QTest::keyClicks(editor, QLatin1String(typed + 1));
            QTest::keyClick(editor, Qt::Key_Tab);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        const study::Run& run = *study::findRun(study, 3);
        QCOMPARE(run.results.at("images_per_sec"), 1234.5);
        QCOMPARE(run.results.at("step_ms"), 42.0);
        QCOMPARE(run.provenance.source, study::Source::Typed);
        QCOMPARE(run.status, study::RunStatus::Done);
        QVERIFY(shows(page, QStringLiteral("1 of 3 entered")));
        QVERIFY(shows(page, QStringLiteral("Next: run 2 (run order 2): ")));
    }

    void aFullSheetLeadsOnToExplore()
    {
        RunPage page;
        study::Study study = studyOf(2, "none");
        for (study::Run& run : study.runs) {
            run.results = {{"images_per_sec", 1.0}, {"step_ms", 2.0}};
            run.status = study::RunStatus::Done;
        }
        page.setContext(contextOf(study));
        QSignalSpy asked(&page, &Page::stepRequested);
        page.findChild<QPushButton*>("entryNext")->click();
        QCOMPARE(asked[0][0].value<Step>(), Step::Explore);
    }

    void theRunnerIsPausedAndGoesOn()
    {
        RunPage page;
        page.setContext(contextOf(studyOf(3, "builtin"), true));
        QSignalSpy asked(&page, &RunPage::controlRequested);
        QTest::mouseClick(buttonWith(page, QStringLiteral("Pause")), Qt::LeftButton);
        QCOMPARE(asked[0][0].value<run::ControlRequest>().action, run::ControlAction::Pause);
        run::RunnerNews news;
        news.isPaused = true;
        page.showNews(news);
        QVERIFY(shows(page, QStringLiteral("Paused")));
        QTest::mouseClick(buttonWith(page, QStringLiteral("Resume")), Qt::LeftButton);
        QCOMPARE(asked[1][0].value<run::ControlRequest>().action, run::ControlAction::Resume);
    }

    void onlyWhatCanBeDoneWithARunIsOffered()
    {
        RunPage page;
        study::Study study = studyOf(4, "builtin");
        study.runs[0].status = study::RunStatus::Running;
        study.runs[3].status = study::RunStatus::Failed;
        page.setContext(contextOf(study, true));
        run::RunnerNews news = newsOf(1, 0.5);
        news.queue = {2, 3};
        page.showNews(news);
        page.pickRuns(1);
        QCOMPARE(offered(page), (QStringList{"Cancel", "Skip"}));
        page.pickRuns(2);
        QCOMPARE(offered(page), (QStringList{"Skip"}));
        page.pickRuns(3);
        QCOMPARE(offered(page), (QStringList{"Run next", "Skip"}));
        QSignalSpy asked(&page, &RunPage::controlRequested);
        choose(page, "Run next");
        QCOMPARE(asked[0][0].value<run::ControlRequest>().action, run::ControlAction::First);
        QCOMPARE(asked[0][0].value<run::ControlRequest>().run, 3);
        page.pickRuns(4);
        QCOMPARE(offered(page), (QStringList{"Rerun"}));
        choose(page, "Rerun");
        QCOMPARE(asked[1][0].value<run::ControlRequest>().action, run::ControlAction::Retry);
        page.setContext(contextOf(study, false));
        QSignalSpy changes(&page, &Page::changeRequested);
        choose(page, "Rerun");
        QCOMPARE(asked.count(), 2);
        QCOMPARE(study::findRun(changes[0][0].value<study::Study>(), 4)->status, study::RunStatus::Pending);
    }

    void aFailedOrDisturbedRunSaysWhy()
    {
        RunPage page;
        page.setContext(contextOf(studyWithDisturbedRun()));
        page.pickRuns(2);
        QVERIFY(shows(page, QStringLiteral("Failed: needs 9 GiB")));
        page.pickRuns(1);
        QVERIFY(shows(page, QStringLiteral("Disturbed: GPU 0 was shared with blender")));
        page.pickRuns(3);
        QVERIFY(!shows(page, QStringLiteral("Disturbed: ")));
    }

    void disturbedRunsAreOfferedForRepetition()
    {
        RunPage page;
        page.setContext(contextOf(studyWithDisturbedRun()));
        QSignalSpy changes(&page, &Page::changeRequested);
        buttonWith(page, QStringLiteral("Repeat the disturbed run"))->click();
        const study::Run* run = study::findRun(changes[0][0].value<study::Study>(), 1);
        QCOMPARE(run->status, study::RunStatus::Pending);
        QVERIFY(run->results.empty());
        page.setContext(contextOf(studyWithDisturbedRun(), true));
        QSignalSpy asked(&page, &RunPage::controlRequested);
        buttonWith(page, QStringLiteral("Repeat the disturbed run"))->click();
        QCOMPARE(asked[0][0].value<run::ControlRequest>().action, run::ControlAction::Retry);
        QCOMPARE(changes.count(), 1);
    }

    void theRunInProgressIsShownUntilOneIsPicked()
    {
        RunPage page;
        QSignalSpy watched(&page, &RunPage::watchRequested);
        page.setContext(contextOf(studyOf(3, "builtin"), true));
        page.showNews(newsOf(2, 0.1));
        QCOMPARE(watched.last()[0].toInt(), 2);
        page.pickRuns(3);
        QCOMPARE(watched.last()[0].toInt(), 3);
        page.showNews(newsOf(1, 0.1));
        QCOMPARE(watched.last()[0].toInt(), 3);
        page.pickRuns(-1);
        QCOMPARE(watched.last()[0].toInt(), 1);
    }

    void theLogIsThatOfTheShownRun()
    {
        RunPage page;
        page.setContext(contextOf(studyOf(3, "builtin")));
        auto* log = page.findChild<QPlainTextEdit*>();
        QSignalSpy picked(&page, &Page::runsPicked);
        auto* table = page.findChild<QTableView*>();
        table->setCurrentIndex(table->model()->index(1, 0));
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked[0][0].value<PickedRuns>().current, 2);
        page.showLog(2, QStringLiteral("first\n"), true);
        page.showLog(1, QStringLiteral("of another run\n"), true);
        page.showLog(2, QStringLiteral("second\n"), false);
        QCOMPARE(log->toPlainText(), QStringLiteral("first\nsecond\n"));
        page.pickRuns(1);
        QCOMPARE(log->toPlainText(), QString());
        QVERIFY(!log->placeholderText().isEmpty());
        QCOMPARE(picked.count(), 1);
    }

    void theLogIsSearched()
    {
        LogPanel panel;
        panel.setText(QStringLiteral("Loss 1\nother\nloss 2\n"), {});
        auto* search = panel.findChild<QLineEdit*>();
        auto* text = panel.findChild<QPlainTextEdit*>();
        search->setText(QStringLiteral("loss"));
        QVERIFY(shows(panel, QStringLiteral("1 of 2")));
        QCOMPARE(text->textCursor().selectedText(), QStringLiteral("Loss"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(shows(panel, QStringLiteral("2 of 2")));
        QCOMPARE(text->textCursor().selectedText(), QStringLiteral("loss"));
        panel.append(QStringLiteral("loss 3\n"));
        QVERIFY(shows(panel, QStringLiteral("2 of 3")));
        QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(shows(panel, QStringLiteral("1 of 3")));
        search->setText(QStringLiteral("nothing"));
        QVERIFY(shows(panel, QStringLiteral("not found")));
    }

    void onlyWhatIsToldIsDrawn()
    {
        RunPage page;
        page.setContext(contextOf(studyOf(2, "builtin")));
        page.pickRuns(1);
        const auto drawn = [&page] {
            QStringList names;
            for (const LiveChart* chart : page.findChildren<LiveChart*>())
                if (chart->isVisibleTo(&page))
                    names << chart->accessibleName();
            names.sort();
            return names;
        };
        QVERIFY(drawn().isEmpty());
        run::RunSamples samples;
        samples.machine = {{.seconds = 0.5,
                            .clockMhz = 2600.0,
                            .powerW = {},
                            .temperatureC = {},
                            .busyPct = {},
                            .foreignPct = {}},
                           {.seconds = 1.0,
                            .clockMhz = 2500.0,
                            .powerW = {},
                            .temperatureC = {},
                            .busyPct = {},
                            .foreignPct = {}}};
        page.showSamples(1, samples, true);
        QCOMPARE(drawn(), QStringList{"Clock"});
        QVERIFY(shows(page, QStringLiteral("power (no meter)")));
        samples.machine.clear();
        samples.steps = {{0.5, 40.0}, {1.5, 42.0}};
        page.showSamples(1, samples, false);
        QCOMPARE(drawn(), (QStringList{"Clock", "Step time", "Throughput"}));
        const auto throughputs = [&page] {
            for (const LiveChart* chart : page.findChildren<LiveChart*>())
                if (chart->accessibleName() == QStringLiteral("Throughput"))
                    return chart->table().columns.at(1).title;
            return QString();
        };
        QCOMPARE(throughputs(), QStringLiteral("Throughput (steps/s)"));
        samples.steps = {{0.5, 40.0, 128.0}, {1.5, 42.0, 128.0}};
        samples.unit = "img";
        page.showSamples(1, {}, true);
        page.showSamples(1, samples, false);
        QCOMPARE(throughputs(), QStringLiteral("Throughput (img/s)"));
        page.pickRuns(2);
        QVERIFY(drawn().isEmpty());
    }
};

QUADRIC_QT_TEST(RunPageTest)
#include "run_page_test.moc"
