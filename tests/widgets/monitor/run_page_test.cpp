// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_page.h"
#include "widgets/monitor/run_table_model.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace quadric;
using namespace quadric::widgets;

namespace {

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
        model.setProgress(1, 0.42, QStringLiteral("measure"));
        QCOMPARE(model.rowOf(1), 3);
        QCOMPARE(model.index(3, model.statusColumn()).data().toString(), QStringLiteral("measuring 42 %"));
        study.runs[0].status = study::RunStatus::Done;
        model.setStudy(study);
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
        page.showRemaining(130);
        QVERIFY(shows(page, QStringLiteral("about 2 minutes left")));
        QTest::mouseClick(buttonWith(page, QStringLiteral("Stop")), Qt::LeftButton);
        QCOMPARE(stopped.count(), 1);
    }

    void typedResultsAreMarkedAsTyped()
    {
        RunPage page;
        page.setContext(contextOf(studyOf(2, "none")));
        QSignalSpy changes(&page, &Page::changeRequested);
        auto* model = page.findChild<RunTableModel*>();
        const int firstResult = 3; // order, kind, ranks
        QVERIFY(!model->setData(model->index(0, firstResult), QStringLiteral("fast"), Qt::EditRole));
        QCOMPARE(changes.count(), 0);
        QVERIFY(model->setData(model->index(0, firstResult), QStringLiteral("1234.5"), Qt::EditRole));
        QCOMPARE(changes.count(), 1);
        const auto after = changes[0][0].value<study::Study>();
        const study::Run* run = study::findRun(after, 2);
        QCOMPARE(run->results.at("images_per_sec"), 1234.5);
        QCOMPARE(run->provenance.source, study::Source::Typed);
        QCOMPARE(run->status, study::RunStatus::Pending);
        page.setContext(contextOf(after));
        QVERIFY(model->setData(model->index(0, firstResult + 1), QStringLiteral("42"), Qt::EditRole));
        const auto complete = changes[1][0].value<study::Study>();
        QCOMPARE(study::findRun(complete, 2)->status, study::RunStatus::Done);
    }

    void measuredResultsCannotBeTyped()
    {
        RunTableModel model;
        model.setStudy(studyOf(2, "builtin"));
        QVERIFY(!model.setData(model.index(0, 3), 1.0, Qt::EditRole));
    }

    void theLogIsThePickedRuns()
    {
        RunPage page;
        page.setContext(contextOf(studyOf(3, "builtin"), true));
        page.appendLog(1, QStringLiteral("first"));
        page.appendLog(2, QStringLiteral("second"));
        auto* log = page.findChild<QPlainTextEdit*>();
        QSignalSpy picked(&page, &Page::runPicked);
        auto* table = page.findChild<QTableView*>();
        table->setCurrentIndex(table->model()->index(1, 0));
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked[0][0].toInt(), 2);
        QCOMPARE(log->toPlainText(), QStringLiteral("second"));
        page.pickRun(1);
        QCOMPARE(log->toPlainText(), QStringLiteral("first"));
        QCOMPARE(picked.count(), 1);
    }
};

QTEST_MAIN(RunPageTest)
#include "run_page_test.moc"
