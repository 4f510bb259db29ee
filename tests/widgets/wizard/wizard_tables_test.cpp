// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"
#include "core/templates/templates.h"
#include "tests/support/qt_tests.h"
#include "widgets/wizard/factors_page.h"
#include "widgets/wizard/sheets/factor_table_model.h"
#include "widgets/wizard/sheets/response_table_model.h"
#include "widgets/wizard/sheets/spreadsheet.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace quadric;
using widgets::FactorTableModel;
using widgets::ResponseTableModel;

class TablesTest : public QObject {
    Q_OBJECT

private slots:
    void obeyTheRulesOfModels()
    {
        const auto study = templates::studyFrom("this-machine", 1);
        FactorTableModel factors;
        ResponseTableModel responses;
        QAbstractItemModelTester first(&factors, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester second(&responses, QAbstractItemModelTester::FailureReportingMode::QtTest);
        factors.setFactors(study.factors);
        responses.setResponses(study.responses);
        QVERIFY(factors.setData(factors.index(0, FactorTableModel::Name), QStringLiteral("x"), Qt::EditRole));
        factors.setFactors({});
        responses.setResponses({});
    }

    void factorCellsTakeWhatTheyMean()
    {
        study::Factor factor;
        factor.type = study::FactorType::Integer;
        QCOMPARE(withCell(factor, FactorTableModel::High, " 64 ")->high, 64.0);
        QCOMPARE(withCell(factor, FactorTableModel::High, "0,5")->high, 0.5);
        QCOMPARE(withCell(factor, FactorTableModel::Levels, "× 8")->multipleOf, 8);
        QCOMPARE(withCell(factor, FactorTableModel::Levels, "")->multipleOf, 1);
        QCOMPARE(withCell(factor, FactorTableModel::ScaleColumn, "log2")->scale, study::Scale::Log2);
        QCOMPARE(withCell(factor, FactorTableModel::Levels, "step 8")->multipleOf, 8);
        for (const char* bad : {"", "many", "nan", "inf"})
            QVERIFY2(!withCell(factor, FactorTableModel::High, bad), bad);
        QVERIFY(!withCell(factor, FactorTableModel::Type, "triangular"));
        QVERIFY(!withCell(factor, FactorTableModel::Used, "3"));
    }

    void changingTheTypeKeepsTheRowSound()
    {
        study::Study study;
        study.factors.resize(1);
        study.factors[0].name = std::string(1, 'x');
        study.factors[0].low = 2.0;
        study.factors[0].high = 8.0;
        for (const char* type : {"integer", "discrete", "categorical", "continuous"}) {
            study.factors[0] = *withCell(study.factors[0], FactorTableModel::Type, type);
            for (const auto& problem : study::validate(study))
                QVERIFY2(problem.where.rfind("factors", 0) != 0, problem.message.c_str());
        }
        auto discrete = *withCell(*withCell(study.factors[0], FactorTableModel::Type, "discrete"),
                                  FactorTableModel::Levels, "25, 1; 4");
        QCOMPARE(discrete.levels, (std::vector<double>{1, 4, 25}));
        QCOMPARE(discrete.low, 1.0);
        QCOMPARE(discrete.high, 25.0);
    }

    void usedValuesAreLegal()
    {
        study::Factor batch;
        batch.type = study::FactorType::Integer;
        batch.low = 4;
        batch.high = 16;
        batch.scale = study::Scale::Log2;
        QCOMPARE(widgets::usedValues(batch), (QStringList{"4", "8", "16"})); // √(4·16) = 8
        batch.low = 0;
        QVERIFY(widgets::usedValues(batch).isEmpty()); // no logarithm of 0
        study::Factor names;
        names.type = study::FactorType::Categorical;
        names.categories = {"fp32", "bf16"};
        QCOMPARE(widgets::usedValues(names), (QStringList{"fp32", "bf16"}));
        const study::Factor two{.name = "gpus", .type = study::FactorType::Integer, .low = 1, .high = 2};
        QCOMPARE(widgets::usedValues(two), (QStringList{"1", "2"})); // and no 1 for its middle
    }

    /// A list of numbers, of names, a step of whole numbers, one of fractions, and what leads nowhere.
    void levelsMakeTheType()
    {
        study::Factor factor{.name = "x", .low = 60.0, .high = 120.0};
        const auto withLevels = [&](const char* text) {
            return withCell(factor, FactorTableModel::Levels, text);
        };
        QCOMPARE(withLevels("1, 2, 5")->type, study::FactorType::Discrete);
        QCOMPARE(withLevels("1,2,5")->levels, (std::vector<double>{1, 2, 5}));
        QCOMPARE(withLevels("0,5; 1,5; 2")->levels, (std::vector<double>{0.5, 1.5, 2}));
        QCOMPARE(withLevels("Pd, Pt on carbon, Ni")->categories,
                 (std::vector<std::string>{"Pd", "Pt on carbon", "Ni"}));
        QCOMPARE(withLevels("Pd Pt Ni")->categories.size(), size_t(3));
        QCOMPARE(withLevels("5")->type, study::FactorType::Integer);
        QCOMPARE(withLevels("5")->multipleOf, 5);
        QVERIFY(!withLevels("toluene"));
        QVERIFY(!withLevels("0"));
        QVERIFY(!withLevels("-5"));
        QVERIFY(!withLevels("0.001")); // 60 000 levels
        factor.low = 0.0;
        factor.high = 1.0;
        QCOMPARE(withLevels("0.25")->levels, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
        QVERIFY(!withLevels("0.3")); // does not lead from 0 to 1
    }

    void badTextStaysAndSaysWhy()
    {
        FactorTableModel model;
        model.setFactors({{.name = "temperature", .low = 60.0, .high = 120.0}});
        const QModelIndex high = model.index(0, FactorTableModel::High);
        for (const auto& [bad, why] : {std::pair{"abc", "“abc”, expected a number"},
                                       {"50%", "write % as the unit"},
                                       {"1e400", "too large"},
                                       {"", "is empty, expected a number"}}) {
            QSignalSpy edited(&model, &FactorTableModel::edited);
            QVERIFY(model.setData(high, QLatin1String(bad), Qt::EditRole));
            QCOMPARE(edited.count(), 1);
            QCOMPARE(high.data().toString(), QLatin1String(bad));
            QCOMPARE(model.factors()[0].high, 120.0);
            QCOMPARE(model.refusals().size(), size_t(1));
            const QString words = model.refusals()[0].words;
            QVERIFY2(words.startsWith("The high of temperature") && words.contains(QString::fromUtf8(why)),
                     qPrintable(words));
            model.setProblems(model.refusals());
            QVERIFY(high.data(Qt::BackgroundRole).isValid());
            QCOMPARE(high.data(Qt::ToolTipRole).toString(), words);
            QCOMPARE(high.data(Qt::AccessibleDescriptionRole).toString(), words);
        }
        QVERIFY(
            model.setData(high, QStringLiteral("120"), Qt::EditRole)); // what it was: a change all the same
        QVERIFY(model.refusals().empty());
        model.setProblems(model.refusals());
        QVERIFY(!high.data(Qt::BackgroundRole).isValid());
    }

    void badTextGoesWithItsRow()
    {
        FactorTableModel model;
        const study::Factor a{.name = "a"}, b{.name = "b"}, c{.name = "c"};
        model.setFactors({a, b, c});
        model.setData(model.index(1, FactorTableModel::Low), QStringLiteral("low"), Qt::EditRole);
        model.setFactors({b, c});
        QCOMPARE(model.index(0, FactorTableModel::Low).data().toString(), QStringLiteral("low"));
        QVERIFY(model.setData(model.index(0, FactorTableModel::Type), QStringLiteral("categorical"),
                              Qt::EditRole));
        QVERIFY(model.refusals().empty()); // names have no low
        model.setData(model.index(1, FactorTableModel::Low), QStringLiteral("low"), Qt::EditRole);
        model.setFactors({a});
        QVERIFY(model.refusals().empty());
    }

    void theEmptyRowBecomesARecord()
    {
        FactorTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy edited(&model, &FactorTableModel::edited);
        QVERIFY(model.setData(model.index(0, FactorTableModel::Name), QStringLiteral(" "), Qt::EditRole));
        QCOMPARE(edited.count(), 0);
        QVERIFY(model.factors().empty());
        QVERIFY(model.setData(model.index(0, FactorTableModel::High), QStringLiteral("7"), Qt::EditRole));
        QVERIFY(model.setData(model.index(1, FactorTableModel::Name), QStringLiteral("time"), Qt::EditRole));
        QCOMPARE(edited.count(), 2);
        QCOMPARE(model.factors()[0].name, std::string("factor_1"));
        QCOMPARE(model.factors()[0].high, 7.0);
        QCOMPARE(model.factors()[1].name, std::string("time"));
        QCOMPARE(model.rowCount(), 3);
    }

    /// A click on the cell that is current already, and keys before and after the time of a double click.
    void keysAfterAClickAreKept()
    {
        FactorTableModel model;
        widgets::Spreadsheet table(model);
        table.resize(600, 300);
        table.show();
        table.setFocus();
        QVERIFY(QTest::qWaitForWindowExposed(&table, kPatienceMs));
        table.setCurrentIndex(model.index(0, 0));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(model.index(0, 0)).center());
        auto* editor = table.viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "gp");
        QTest::qWait(QApplication::doubleClickInterval() + 200);
        QTest::keyClicks(editor, "us");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(model.recordCount(), 1);
        QCOMPARE(model.factors().front().name, std::string("gpus"));
    }

    void pastesRowsOfASpreadsheet()
    {
        FactorTableModel model;
        model.setFactors({{.name = "old", .unit = "s", .low = 3.0, .high = 4.0}});
        QSignalSpy edited(&model, &FactorTableModel::edited);
        model.paste(0, 0,
                    {{"temperature", "°C", "60", "120"},
                     {"time", "10", "30"},
                     {"catalyst", "Pd", "Pt", "Ni"},
                     {"batch", "images", "8", "64", "integer", "log2"},
                     {"solvent", "", "", "water, toluene"},
                     {"workers", "1", "2", "4"},
                     {"pressure", "bar", "low", "high"}});
        QCOMPARE(edited.count(), 1);
        const auto& factors = model.factors();
        QCOMPARE(factors.size(), size_t(7));
        QCOMPARE(factors[0],
                 (study::Factor{.name = "temperature", .unit = "°C", .low = 60.0, .high = 120.0}));
        QCOMPARE(factors[1], (study::Factor{.name = "time", .low = 10.0, .high = 30.0}));
        QCOMPARE(factors[2].categories, (std::vector<std::string>{"Pd", "Pt", "Ni"}));
        QCOMPARE(factors[3].type, study::FactorType::Integer);
        QCOMPARE(factors[3].scale, study::Scale::Log2);
        QCOMPARE(factors[3].unit, std::string("images"));
        QCOMPARE(factors[4].categories.size(), size_t(2));
        QCOMPARE(factors[5].levels, (std::vector<double>{1, 2, 4}));
        // With headings every cell goes to its column, and what does not fit there says so.
        model.paste(7, 0, {{"Factor", "Max", "Min", "Units"}, {"speed", "fast", "100", "rpm"}});
        QCOMPARE(model.factors()[7].low, 100.0);
        QCOMPARE(model.factors()[7].unit, std::string("rpm"));
        QCOMPARE(model.refusals().size(), size_t(1));
        QCOMPARE(model.index(7, FactorTableModel::High).data().toString(), QStringLiteral("fast"));

        ResponseTableModel responses;
        responses.paste(0, 0,
                        {{"yield", "%", "maximize"}, {"purity", "target", "99", "95", "100"}, {"cost"}});
        QCOMPARE(responses.responses().size(), size_t(3));
        QCOMPARE(responses.responses()[0].unit, std::string("%"));
        QCOMPARE(responses.responses()[1].goal, study::Goal::Target);
        QCOMPARE(responses.responses()[1].target, 99.0);
        QCOMPARE(*responses.responses()[1].low, 95.0);
        QCOMPARE(*responses.responses()[1].high, 100.0);
        QCOMPARE(responses.responses()[2].name, std::string("cost"));
    }

    /// Anywhere else than at the first column cells go where they stand, below the last row into new ones.
    void pastesBlocks()
    {
        FactorTableModel model;
        model.setFactors({{.name = "a"}, {.name = "b"}});
        model.paste(1, FactorTableModel::Low, {{"2", "8"}, {"3", "9"}});
        QCOMPARE(model.factors().size(), size_t(3));
        QCOMPARE(model.factors()[1].low, 2.0);
        QCOMPARE(model.factors()[2].high, 9.0);
        model.paste(0, FactorTableModel::Name, {{"x"}, {"y"}});
        QCOMPARE(model.factors()[1].name, std::string("y"));
        QCOMPARE(model.factors()[1].low, 2.0); // one column is no row
    }

    void responseCellsTakeWhatTheyMean()
    {
        study::Response response;
        QCOMPARE(*withCell(response, ResponseTableModel::Low, "2.5")->low, 2.5);
        QVERIFY(!withCell(response, ResponseTableModel::Low, "")->low);
        QCOMPARE(withCell(response, ResponseTableModel::GoalColumn, "target")->goal, study::Goal::Target);
        QVERIFY(!withCell(response, ResponseTableModel::Weight, "-1"));
        QVERIFY(!withCell(response, ResponseTableModel::GoalColumn, "win"));
        const auto boundsOf = [&](const char* typed) {
            return withCell(response, ResponseTableModel::BoundsColumn, QString::fromUtf8(typed))->bounds;
        };
        for (const char* typed : {"0..100", "0 … 100", "0–100", " 0 .. 100 "})
            QVERIFY((boundsOf(typed) == study::Bounds{0.0, 100.0}));
        QVERIFY(boundsOf("≥ 0") == study::Bounds{});
        QVERIFY(boundsOf("0..") == study::Bounds{});
        QVERIFY(!boundsOf(""));
        for (const char* typed : {"100", "5..1", "5..", "a..b", "0..100x"})
            QVERIFY2(!withCell(response, ResponseTableModel::BoundsColumn, typed), typed);
        QVERIFY(
            (withCell(response, ResponseTableModel::Name, "mfu_pct")->bounds == study::Bounds{0.0, 100.0}));
        QVERIFY(withCell(response, ResponseTableModel::Name, "scaling_efficiency")->bounds ==
                study::Bounds{});
        QVERIFY(!withCell(response, ResponseTableModel::Name, "images_per_sec")->bounds);
    }

    void fixedSettingsAreNumbersOrTexts()
    {
        widgets::FixedTableModel model;
        model.paste(0, 0, {{"solvent", "toluene"}, {"stirring", "300"}});
        QCOMPARE(model.settings(),
                 (study::Settings{{"solvent", study::Value("toluene")}, {"stirring", study::Value(300.0)}}));
        model.setSettings(model.settings());
        QVERIFY(model.setData(model.index(1, 0), QStringLiteral("solvent"), Qt::EditRole));
        QCOMPARE(model.refusals().size(), size_t(1));
        QVERIFY(model.refusals()[0].words.contains("“solvent” is there already"));
        QCOMPARE(model.settings().size(), size_t(2));
    }

    /// On a machine of 8 GPUs: whole nodes, powers of two, and tensor × pipeline × data parallelism, one
    /// click each.
    void gpuCountsAreProposedWithTheirReasons()
    {
        widgets::FactorsPage page;
        page.setGpus(8);
        study::Study study;
        study.benchmark.workload = "command";
        study.factors = {{.name = "gpus", .type = study::FactorType::Integer, .low = 1, .high = 60}};
        connect(&page, &widgets::FactorsPage::edited, &page, [&](const study::Study& edited) {
            study = edited;
            page.setStudy(study);
        });
        page.setStudy(study);
        auto* menu = page.findChild<QPushButton*>("gpuCounts")->menu();
        emit menu->aboutToShow();
        QCOMPARE(menu->actions()[0]->text(), QStringLiteral("Nodes of 8 (GPUs of this machine)"));
        QVERIFY(menu->actions()[1]->toolTip().contains("GPUs of this machine"));
        menu->actions()[1]->trigger();
        QCOMPARE(study.factors[0].multipleOf, 8);
        QCOMPARE(study.factors[0].high, 56.0);
        emit menu->aboutToShow();
        menu->actions().last()->trigger();
        QCOMPARE(study.factors.size(), size_t(3));
        QCOMPARE(study.constraints, std::vector<std::string>{"gpus % (tp * pp) == 0"});
        emit menu->aboutToShow();
        QVERIFY2(!menu->actions().last()->isEnabled(), "once is enough");
        study = templates::studyFrom("plan-64-gpus", 2);
        page.setStudy(study);
        emit menu->aboutToShow();
        QCOMPARE(menu->actions()[0]->text(), QStringLiteral("Nodes of 8 (setting ranks_per_node)"));
        QCOMPARE(menu->actions().size(), qsizetype(3));
        study.fixed.erase("ranks_per_node");
        study.fixed["engine"] = "cpu";
        page.setGpus(0);
        page.setStudy(study);
        QVERIFY2(page.findChild<QPushButton*>("gpuCounts")->isHidden(), "cores have no nodes");
    }

    /// sinfo says that nodes have 4 GPUs while jobs ask for 8; another never answers, and nobody waits for
    /// it.
    void gpuCountsAskSlurm()
    {
        QTemporaryDir folder;
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toLocal8Bit() + ':' + path);
        const auto writeProgram = [&folder](const QByteArray& text) {
            QFile program(folder.filePath("sinfo"));
            QVERIFY(program.open(QIODevice::WriteOnly));
            program.write("#!/bin/sh\n" + text);
            program.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        };
        study::Study study;
        study.benchmark.workload = "command";
        study.benchmark.launcher = study::LauncherKind::Slurm;
        study.factors = {{.name = "gpus",
                          .unit = "GPUs",
                          .type = study::FactorType::Integer,
                          .low = 1,
                          .high = 32,
                          .binds = "ranks"}};
        const auto headingOf = [](widgets::FactorsPage& page) {
            auto* menu = page.findChild<QPushButton*>("gpuCounts")->menu();
            emit menu->aboutToShow();
            return menu->actions()[0]->text();
        };
        {
            writeProgram("exec sleep 600\n");
            widgets::FactorsPage page;
            QElapsedTimer timer;
            timer.start();
            page.setStudy(study);
            QCOMPARE(headingOf(page), QStringLiteral("Nodes of 8 (ranks per node of the Slurm jobs)"));
            QVERIFY(timer.elapsed() < 60'000);
        }
        QFile::remove(folder.filePath("sinfo"));
        writeProgram("printf 'n1|8|gpu:a100:4(S:0-1)|gpu*|idle\\n'\n");
        widgets::FactorsPage page;
        connect(&page, &widgets::FactorsPage::edited, &page,
                [&](const study::Study& edited) { study = edited; });
        page.setStudy(study);
        QTRY_COMPARE(headingOf(page),
                     QStringLiteral("Nodes of 4 (sinfo: partition gpu has 1 node of 4 GPUs)"));
        page.findChild<QPushButton*>("gpuCounts")->menu()->actions()[1]->trigger();
        QCOMPARE(study.factors[0].multipleOf, 4);
        QCOMPARE(study.benchmark.slurm.ranksPerNode, 4);
        qputenv("PATH", path);
    }
};

QUADRIC_QT_TEST(TablesTest)
#include "wizard_tables_test.moc"
