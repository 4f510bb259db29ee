// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/design/matrix/matrix_clipboard.h"

#include <QTest>

using namespace quadric;
using namespace quadric::widgets;

class MatrixClipboardTest : public QObject {
    Q_OBJECT

private slots:
    void copiesWithHeadingsAndAllDigits()
    {
        const RunMatrix matrix(example(), SettingUnits::Both);
        const QStringList lines = formatRunsForClipboard(matrix, {9}).split(QLatin1Char('\n'));
        QCOMPARE(lines[0],
                 QStringLiteral(
                     "run order\tstd order\tpoint type\tstatus\tgpu_count\tgpu_count (coded)\tbatch_per_gpu\t"
                     "batch_per_gpu (coded)\tgradient_compression\tgradient_compression "
                     "(coded)\timages_per_sec\tscaling_efficiency"));
        // The first run of the published table: 36 GPUs, batch 32, no compression, 4550.7 images a second.
        QVERIFY2(lines[1].startsWith("1\t9\tfactorial\tdone\t36\t0\t32\t-1\t0\t-1\t4550.7\t"),
                 qPrintable(lines[1]));
    }

    void takesBackWhatItCopied()
    {
        const study::Study full = example();
        const RunMatrix matrix(full, SettingUnits::Both);
        const Paste filled = paste(exampleWithoutResults(), formatRunsForClipboard(matrix, idsOf(matrix)));
        QCOMPARE(filled.problems, QStringList());
        QCOMPARE(filled.taken, 30);
        for (const study::Run& run : filled.study.runs) {
            QCOMPARE(run.results, study::findRun(full, run.id)->results);
            QCOMPARE(run.status, study::RunStatus::Done);
        }
        QCOMPARE(paste(full, formatRunsForClipboard(matrix, idsOf(matrix))).taken, 0);
    }

    void findsRunsByNumberWhateverTheirOrder()
    {
        const Paste done =
            paste(exampleWithoutResults(), "images_per_sec\tnote\trun\r\n100\tx\t3\r\n200,5\ty\t9\r\n");
        QCOMPARE(done.problems, QStringList());
        QCOMPARE(study::findRun(done.study, 3)->results.at("images_per_sec"), 100.0);
        QCOMPARE(study::findRun(done.study, 9)->results.at("images_per_sec"), 200.5);
        QCOMPARE(paste(exampleWithoutResults(), "run\timages_per_sec\n99\t1\n").problems,
                 QStringList{QStringLiteral("Line 2: run “99” is not in this study")});
    }

    void pastesFromTheCurrentCell()
    {
        const study::Study before = exampleWithoutResults();
        const Paste done = paste(before, "1\t2\n\n3\t4\n", 1, kFirstResult);
        QCOMPARE(done.problems, QStringList());
        QCOMPARE(done.taken, 4);
        const auto runs = study::inRunOrder(done.study);
        QVERIFY(runs[0]->results.empty());
        QCOMPARE(runs[1]->results.at("images_per_sec"), 1.0);
        QCOMPARE(runs[1]->results.at("scaling_efficiency"), 2.0);
        QVERIFY(runs[2]->results.empty()); // an empty cell changes nothing
        QCOMPARE(runs[3]->results.at("scaling_efficiency"), 4.0);
    }

    void saysWhichCellIsWrong()
    {
        const Paste done = paste(exampleWithoutResults(), "1\nfast\n3\n", 0, kFirstResult);
        QCOMPARE(done.taken, 2);
        QCOMPARE(done.problems.size(), 1);
        QVERIFY2(done.problems[0].startsWith("Line 2: images_per_sec of run "), qPrintable(done.problems[0]));
        QVERIFY(done.problems[0].contains("“fast”, expected a number"));
        const Paste tooWide = paste(exampleWithoutResults(), "1\t2\t3\n", 0, kFirstResult);
        QCOMPARE(tooWide.problems, QStringList{QStringLiteral("Line 1: there are more cells than columns")});
        const Paste tooLong = paste(exampleWithoutResults(), "1\n2\n3\n", 13, kFirstResult);
        QCOMPARE(tooLong.problems, QStringList{QStringLiteral("Line 3: more lines than runs")});
    }

    void neverChangesSettingsOfRunsWithResults()
    {
        const study::Study before = example();
        const Paste done = paste(before, "run\tgpu_count\timages_per_sec\n9\t64\t4550.7\n");
        QCOMPARE(done.study, before);
        QCOMPARE(done.problems.size(), 1);
        QVERIFY2(done.problems[0].contains("Run 9 has results"), qPrintable(done.problems[0]));
    }

    void changesSettingsOfWaitingRuns()
    {
        const Paste done = paste(exampleWithoutResults(), "run\tgpu_count\n9\t40\n3\t12.5\n");
        QCOMPARE(study::numberOf(study::findRun(done.study, 9)->settings.at("gpu_count")), 40.0);
        QCOMPARE(done.problems.size(), 1); // half a GPU
        QVERIFY2(done.problems[0].startsWith("Line 3: gpu_count of run 3: “12.5”, not a value"),
                 qPrintable(done.problems[0]));
        const Paste refused = paste(exampleWithoutResults(), "run\tgpu_count\n9\t40\n", 0, 0, {true, false});
        QCOMPARE(refused.taken, 0);
        QCOMPARE(refused.problems.size(), 1);
    }

    void keepsMeasuredResults()
    {
        const study::Study before = example();
        const Paste done = paste(before, "run\timages_per_sec\n9\t1\n", 0, 0, {false, true});
        QCOMPARE(done.study, before);
        QVERIFY(done.problems.value(0).contains("measured by the program"));
    }

    void takesTablesAsTheyAreExported()
    {
        const Paste done =
            paste(exampleWithoutResults(),
                  "run\timages_per_sec (img/s)\tscaling_efficiency [%]\n9\t1 234.5 img/s\t80.5 %\n");
        QCOMPARE(done.problems, QStringList());
        QCOMPARE(study::findRun(done.study, 9)->results.at("images_per_sec"), 1234.5);
        QCOMPARE(study::findRun(done.study, 9)->results.at("scaling_efficiency"), 80.5);
    }

    void fillsWhatIsSelected()
    {
        const study::Study before = exampleWithoutResults();
        const RunMatrix matrix(before, SettingUnits::Actual);
        PasteTarget target{
            idsOf(matrix), {matrix.columns().begin() + kFirstResult, matrix.columns().end()}, 3, 1};
        const Paste done = pasteInto(before, matrix, target, {true, true}, QStringLiteral("7\n"));
        QCOMPARE(done.taken, 3);
        QCOMPARE(study::inRunOrder(done.study)[2]->results.at("images_per_sec"), 7.0);
        QVERIFY(study::inRunOrder(done.study)[3]->results.empty());
    }

private:
    static std::vector<int> idsOf(const RunMatrix& matrix)
    {
        std::vector<int> ids;
        for (const study::Run& run : matrix.runs())
            ids.push_back(run.id);
        return ids;
    }
    static Paste paste(const study::Study& study, const QString& text, int firstRow = 0, int firstColumn = 0,
                       MatrixEdits allowed = {true, true})
    {
        const RunMatrix matrix(study, SettingUnits::Actual);
        const std::vector<int> ids = idsOf(matrix);
        const PasteTarget target{{ids.begin() + firstRow, ids.end()},
                                 {matrix.columns().begin() + firstColumn, matrix.columns().end()}};
        return pasteInto(study, matrix, target, allowed, text);
    }
    static constexpr int kFirstResult = 7; ///< order, run, kind, state and three factors come before
};

QUADRIC_QT_TEST(MatrixClipboardTest)
#include "matrix_clipboard_test.moc"
