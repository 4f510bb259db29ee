// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"
#include "widgets/exchange/comparison_dialogs.h"
#include "widgets/exchange/table_import_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace quadric;
using widgets::MappingTableModel;
using widgets::TableImportDialog;

/// 2² with two center runs; a decimal comma, units and a note.
static const char* const kTable = "Run;GPUs [count];rate / %;speed (img/s);note\n"
                                  "1;8;0,5;100,5;first\n2;16;0,5;190,25;\n3;8;1,5;110,5;\n4;16;1,5;205,5;\n"
                                  "5;12;1;150,5;\n6;12;1;151,5;\n";

class ExchangeDialogsTest : public QObject {
    Q_OBJECT

private slots:
    void showsWhatATableBecomes()
    {
        TableImportDialog dialog(QStringLiteral("runs.csv"), kTable);
        QTRY_VERIFY(importButton(dialog).isEnabled());
        QCOMPARE(
            textOf(dialog, "importSentence"),
            QStringLiteral("Full factorial design for 2 factors: 4 runs and 2 center runs. 6 of 6 runs with "
                           "results."));
        QVERIFY(textOf(dialog, "importWarnings").contains("line 2: the remark \"first\" is not imported"));
        QCOMPARE(dialog.findChild<QComboBox*>("separator")->itemText(0), QStringLiteral("found: semicolon"));
        QCOMPARE(dialog.findChild<QComboBox*>("decimalMark")->itemText(0),
                 QStringLiteral("found: comma (3,5)"));
        const study::Study& study = dialog.study();
        QCOMPARE(study.name, std::string("runs"));
        QCOMPARE(study.factors[1].unit, std::string("%"));
        QCOMPARE(study.runs[1].results.at("speed"), 190.25);
        QCOMPARE(dialog.findChild<QTableView*>("importedRuns")->model()->rowCount(), 6);
    }

    void followsTheMapping()
    {
        TableImportDialog dialog(QStringLiteral("runs.csv"), kTable);
        QTRY_VERIFY(importButton(dialog).isEnabled());
        map(dialog, 2, MappingTableModel::Role, "ignored");
        map(dialog, 3, MappingTableModel::GoalColumn, "maximize");
        map(dialog, 1, MappingTableModel::Name, "gpus");
        map(dialog, 1, MappingTableModel::ScaleColumn, "log2");
        QTRY_COMPARE(dialog.study().factors.size(), size_t(1));
        QTRY_COMPARE(dialog.study().factors[0].scale, study::Scale::Log2);
        QCOMPARE(dialog.study().factors[0].name, std::string("gpus"));
        QCOMPARE(dialog.study().responses[0].goal, study::Goal::Maximize);
        auto* mapping = dialog.findChild<QTableView*>("mapping")->model();
        QVERIFY2(!(mapping->index(4, MappingTableModel::Type).flags() & Qt::ItemIsEditable),
                 "an ignored column has no type");
        QVERIFY(!mapping->setData(mapping->index(1, MappingTableModel::Type), QStringLiteral("nonsense"),
                                  Qt::EditRole));
    }

    void saysWhatKeepsATableFromBeingAStudy()
    {
        TableImportDialog dialog(QStringLiteral("runs.csv"), kTable);
        QTRY_VERIFY(importButton(dialog).isEnabled());
        map(dialog, 1, MappingTableModel::Role, "ignored");
        map(dialog, 2, MappingTableModel::Role, "ignored");
        QTRY_VERIFY(textOf(dialog, "importSentence").contains("no column is a factor"));
        QVERIFY(!importButton(dialog).isEnabled());
        map(dialog, 1, MappingTableModel::Role, "factor");
        QTRY_VERIFY(importButton(dialog).isEnabled());

        TableImportDialog hopeless(QStringLiteral("<b>x</b>.csv"), std::string("a\0b", 3));
        QTRY_VERIFY(textOf(hopeless, "importSentence").contains("zero byte"));
        QVERIFY(!importButton(hopeless).isEnabled());
        for (const char* box : {"separator", "decimalMark"})
            QCOMPARE(hopeless.findChild<QComboBox*>(QLatin1String(box))->currentText(),
                     QStringLiteral("as found"));
    }

    void saysWhatCannotBeReadBeforeItIsImported()
    {
        TableImportDialog dialog(QStringLiteral("runs.csv"),
                                 "Run #,batch,workers,throughput (img/s),remarks\n1,8,1,\"1,100.5\",\n"
                                 "2,16,1,OOM,\n3,8,2,n/a,\n4,16,2,\"2,210.25\",warm\n");
        QTRY_VERIFY(importButton(dialog).isEnabled());
        QVERIFY2(textOf(dialog, "importSentence").endsWith("2 of 4 runs with results, 1 failed."),
                 qPrintable(textOf(dialog, "importSentence")));
        const QString warnings = textOf(dialog, "importWarnings");
        for (const char* said : {"line 3: column \"throughput (img/s)\" is \"OOM\"; the run counts as failed",
                                 "line 4: column \"throughput (img/s)\" is \"n/a\"; this result is missing",
                                 "line 5: the remark \"warm\" is not imported"})
            QVERIFY2(warnings.contains(QLatin1String(said)), said);
        auto* runs = dialog.findChild<QTableView*>("importedRuns")->model();
        QVERIFY(runs->index(1, runs->columnCount() - 1).data().toString().contains("out of memory"));
        QCOMPARE(dialog.study().responses[0].unit, std::string("img/s"));
        QCOMPARE(dialog.study().runs[3].results.at("throughput"), 2210.25);
    }

    void cutsAsItIsTold()
    {
        TableImportDialog dialog(QStringLiteral("runs.csv"), "a,b,y\n1,5,2\n2,7,3\n1,7,4\n2,5,5\n");
        QTRY_VERIFY(importButton(dialog).isEnabled());
        choose(dialog, "separator", 2); // semicolon: one column of texts
        QTRY_VERIFY(textOf(dialog, "importSentence").contains("no column is a factor"));
        QVERIFY(!importButton(dialog).isEnabled());
        choose(dialog, "separator", 0);
        QTRY_VERIFY(importButton(dialog).isEnabled());
        QCOMPARE(dialog.study().factors.size(), size_t(2));
    }

    void holdsClaimsAgainstTheRuns()
    {
        const study::Study study =
            study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
        widgets::AuditDialog dialog(study);
        QVERIFY(textOf(dialog, "auditFindings").contains("agree in every digit"));
        dialog.setClaims(exchange::parseClaims(
            study::readTextFile(sourcePath("resources/examples/resnet50-scaling-claims.json")), "claims"));
        const auto* model = dialog.findChild<QTableView*>("auditTable")->model();
        QCOMPARE(model->rowCount(), 12);
        QCOMPARE(textOf(dialog, "auditCount"),
                 QStringLiteral("11 of 12 claims differ from what the runs say."));
        QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("✗ differs"));
        QVERIFY(model->index(0, 2).data().toString().startsWith("R² 0.909"));
        QTest::mouseClick(dialog.findChild<QPushButton*>("copyAudit"), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().contains("6.1 times too large"));
        QSignalSpy wanted(&dialog, &widgets::AuditDialog::claimsFileWanted);
        QTest::mouseClick(dialog.findChild<QPushButton*>("claimsFile"), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
    }

    /// Images 10 % faster on another host, everything else as it was.
    void holdsTheStudyAgainstAnother()
    {
        const study::Study before =
            study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
        study::Study now = before;
        now.name = "new driver";
        double wiggle = 0.0;
        for (study::Run& run : now.runs) {
            wiggle += 0.001;
            for (auto& [name, value] : run.results)
                value *= (name == "images_per_sec" ? 1.1 : 1.0) + (run.id % 2 == 0 ? wiggle : -wiggle);
            run.provenance.host = "node2";
        }
        widgets::StudyComparisonDialog dialog(before, now);
        QVERIFY2(textOf(dialog, "comparisonVerdicts").contains("images_per_sec: faster"),
                 qPrintable(textOf(dialog, "comparisonVerdicts")));
        QVERIFY(textOf(dialog, "comparisonVerdicts").contains("no difference shown"));
        const auto* differences = dialog.findChild<QTableView*>("differenceTable")->model();
        QCOMPARE(differences->rowCount(), int(before.responses.size()));
        const auto* changes = dialog.findChild<QTableView*>("changeTable")->model();
        QCOMPARE(changes->index(0, 0).data().toString(), QStringLiteral("host"));
        dialog.findChild<QPushButton*>("copyComparison")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains("node2"));

        study::Study other = now;
        other.responses.clear();
        widgets::StudyComparisonDialog nothing(before, other);
        QCOMPARE(textOf(nothing, "comparisonVerdicts"),
                 QStringLiteral("The studies have no response in common."));
    }

private:
    static QString textOf(const QWidget& dialog, const char* name)
    {
        return dialog.findChild<QLabel*>(QLatin1String(name))->text();
    }
    static QPushButton& importButton(const QWidget& dialog)
    {
        return *dialog.findChild<QPushButton*>("import");
    }
    static void map(const QWidget& dialog, int row, MappingTableModel::Column column, const char* text)
    {
        auto* model = dialog.findChild<QTableView*>("mapping")->model();
        QVERIFY(model->setData(model->index(row, column), QLatin1String(text), Qt::EditRole));
    }
    static void choose(const QWidget& dialog, const char* box, int index)
    {
        auto* combo = dialog.findChild<QComboBox*>(QLatin1String(box));
        combo->setCurrentIndex(index);
        emit combo->activated(index);
    }
};

QUADRIC_QT_TEST(ExchangeDialogsTest)
#include "exchange_dialogs_test.moc"
