// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/typed_value.h"
#include "widgets/design/matrix/run_matrix.h"
#include "widgets/design/matrix/run_matrix_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace quadric;
using widgets::example;
using widgets::RunMatrixModel;

class RunMatrixTest : public QObject {
    Q_OBJECT

private slots:
    void obeysTheRulesOfModels()
    {
        RunMatrixModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        study::Study study = example();
        model.setStudy(study, {true, false});
        study.runs[0].results.clear();
        model.setStudy(study, {true, false});
        model.setUnits(widgets::SettingUnits::Coded);
        study.runs.pop_back();
        model.setStudy(study);
        model.setStudy({});
        QCOMPARE(model.rowCount(), 0);
    }

    void showsRunsInRunOrder()
    {
        RunMatrixModel model;
        model.setStudy(example());
        QCOMPARE(model.rowCount(), 15);
        QCOMPARE(model.columnCount(), 4 + 3 + 2);
        for (int row = 0; row < 15; ++row)
            QCOMPARE(cell(model, row, RunMatrixModel::OrderColumn), QString::number(row + 1));
        // The file's first record: run 9, order 1, batch 32, 36 GPUs, no compression.
        QCOMPARE(model.runIdAt(0), 9);
        QCOMPARE(model.rowOf(9), 0);
        QCOMPARE(model.rowOf(99), -1);
        QCOMPARE(cell(model, 0, 4), QStringLiteral("36"));
        QCOMPARE(cell(model, 0, 5), QStringLiteral("32"));
    }

    void showsCodedSettings()
    {
        RunMatrixModel model;
        model.setStudy(example());
        model.setUnits(widgets::SettingUnits::Coded);
        // GPUs 8 … 64: 36 is the middle; batch 32 … 256: 32 the low end; compression 0 … 90: 0 the low end.
        QCOMPARE(cell(model, 0, 4), QStringLiteral("0"));
        QCOMPARE(cell(model, 0, 5), QStringLiteral("−1"));
        QCOMPARE(cell(model, 0, 6), QStringLiteral("−1"));
    }

    void showsSettingsInReadableDigits()
    {
        study::Study study = example();
        auto& settings = std::ranges::find(study.runs, 9, &study::Run::id)->settings;
        settings["gpu_count"] = 1048576.0;
        settings["batch_per_gpu"] = -0.5707183430103158;
        RunMatrixModel model;
        model.setStudy(study, {true, false});
        QCOMPARE(cell(model, 0, 4), QStringLiteral("1048576"));
        QCOMPARE(cell(model, 0, 5), QStringLiteral("−0.570718"));
        QCOMPARE(model.index(0, 5).data(Qt::EditRole).toString(), QStringLiteral("-0.5707183430103158"));
    }

    void asksForTypedResults()
    {
        RunMatrixModel model;
        model.setStudy(example(), {true, false});
        QSignalSpy typed(&model, &RunMatrixModel::resultTyped);
        const QModelIndex result = model.index(0, 7);
        QVERIFY(model.flags(result).testFlag(Qt::ItemIsEditable));
        QVERIFY(!model.flags(model.index(0, 4)).testFlag(Qt::ItemIsEditable));
        QVERIFY(model.setData(result, QStringLiteral("1234.5"), Qt::EditRole));
        QVERIFY(!model.setData(result, QStringLiteral("fast"), Qt::EditRole));
        QCOMPARE(result.data().toString(), QStringLiteral("⚠ fast"));
        QVERIFY(result.data(Qt::ToolTipRole)
                    .toString()
                    .contains("“fast”, expected a number. The study keeps 4550.7"));
        QVERIFY(!model.setData(result, QStringLiteral("nan"), Qt::EditRole));
        QVERIFY(model.setData(result, QString(), Qt::EditRole));
        QCOMPARE(typed.count(), 2);
        QCOMPARE(typed[0][0].toInt(), 9);
        QCOMPARE(typed[0][1].toString(), QStringLiteral("images_per_sec"));
        QCOMPARE(typed[0][2].toDouble(), 1234.5);
        QCOMPARE(typed[1][3].toBool(), false);

        model.setStudy(example());
        QVERIFY(!model.flags(result).testFlag(Qt::ItemIsEditable));
    }

    void typedResultsMakeARunDone()
    {
        study::Study study = example();
        study::Run& run = *study::findRun(study, 9);
        run.results.clear();
        run.status = study::RunStatus::Pending;

        const auto half = widgets::withTypedResult(study, 9, "images_per_sec", 4550.0);
        QCOMPARE(study::findRun(half, 9)->status, study::RunStatus::Pending);
        const auto whole = widgets::withTypedResult(half, 9, "scaling_efficiency", 89.0);
        QCOMPARE(study::findRun(whole, 9)->status, study::RunStatus::Done);
        QCOMPARE(study::findRun(whole, 9)->provenance.source, study::Source::Typed);
        const auto taken = widgets::withTypedResult(whole, 9, "images_per_sec", std::nullopt);
        QCOMPARE(study::findRun(taken, 9)->status, study::RunStatus::Pending);
        QVERIFY(study::validate(whole).empty());
    }

    void leftOutRunsKeepTheirResults()
    {
        const study::Study before = example();
        const auto after = widgets::withRunsLeftOut(before, {9}, "fan failed");
        QCOMPARE(study::findRun(after, 9)->status, study::RunStatus::Excluded);
        QCOMPARE(study::findRun(after, 9)->results, study::findRun(before, 9)->results);
        QCOMPARE(widgets::withRunsTakenBack(after, {9}), before);
    }

    void numbersMayCarryTheirUnit()
    {
        QCOMPARE(widgets::parseQuantity(QStringLiteral("80.5 %"), "%"), std::optional(80.5));
        QCOMPARE(widgets::parseQuantity(QStringLiteral("1,234.5 img/s"), "img/s"), std::optional(1234.5));
        QCOMPARE(widgets::parseQuantity(QStringLiteral("12"), "ms"), std::optional(12.0));
        QVERIFY(!widgets::parseQuantity(QStringLiteral("12 s"), "ms"));
    }

    /// What could not be read goes when the study has another value there, and only then.
    void refusedTextsStayUntilTheyAreMended()
    {
        RunMatrixModel model;
        study::Study study = example();
        model.setStudy(study, {true, false});
        QVERIFY(!model.setData(model.index(0, 7), QStringLiteral("fast"), Qt::EditRole));
        study.runs[5].results["images_per_sec"] = 1.0;
        model.setStudy(study, {true, false});
        QCOMPARE(cell(model, 0, 7), QStringLiteral("⚠ fast"));
        study::findRun(study, 9)->results["images_per_sec"] = 2.0;
        model.setStudy(study, {true, false});
        QCOMPARE(cell(model, 0, 7), QStringLiteral("2"));
        QVERIFY(model.refused().empty());
    }

    void deletesNothingThatWasMeasured()
    {
        study::Study study = example();
        study::findRun(study, 3)->results.clear();
        const auto after = widgets::withoutRuns(study, {3, 9});
        QVERIFY(!study::findRun(after, 3));
        QVERIFY(study::findRun(after, 9));
        QCOMPARE(after.runs.size(), study.runs.size() - 1);
    }

private:
    static QString cell(const RunMatrixModel& model, int row, int column)
    {
        return model.data(model.index(row, column), Qt::DisplayRole).toString();
    }
};

QUADRIC_QT_TEST(RunMatrixTest)
#include "run_matrix_test.moc"
