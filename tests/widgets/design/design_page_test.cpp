// SPDX-License-Identifier: GPL-3.0-or-later
// The step Design as a user meets it: cells are typed into, tables copied and pasted, changes taken back.
#include "core/report/findings/data_findings.h"
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/design/augment_dialog.h"
#include "widgets/design/compare_dialog.h"
#include "widgets/design/design_page.h"
#include "widgets/design/matrix/run_matrix_view.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/design/run_sheet.h"

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QTimer>

using namespace quadric;
using namespace quadric::widgets;

namespace {

/// The page with what the window does for it: every change becomes the study that is shown.
struct Window {
    DesignPage page;
    std::vector<study::Study> history;

    explicit Window(const study::Study& study, bool isRunning = false)
    {
        history = {study};
        QObject::connect(&page, &Page::changeRequested, &page, [this](const study::Study& after) {
            history.push_back(after);
            show();
        });
        QObject::connect(&page, &DesignPage::undoRequested, &page, [this] {
            history.pop_back();
            show();
        });
        show(isRunning);
        page.resize(1000, 650);
        page.show();
    }
    void show(bool isRunning = false)
    {
        auto context = std::make_shared<StudyContext>();
        context->study = history.back();
        context->isRunning = isRunning;
        page.setContext(context);
    }
    const study::Study& study() const { return history.back(); }
    RunMatrixView& view() { return *page.findChild<RunMatrixView*>("runMatrix"); }
    template <typename Widget> Widget& child(const char* name)
    {
        return *page.findChild<Widget*>(QLatin1String(name));
    }
    QString notice()
    {
        return child<NoticeBar>("noticeBar").isVisible() ? child<NoticeBar>("noticeBar").sentence()
                                                         : QString();
    }
    QLineEdit* edit(int row, int column)
    {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // of the editor before
        view().setFocus();
        view().setCurrentIndex(view().model()->index(row, column));
        QTest::keyClick(&view(), Qt::Key_F2);
        return view().findChild<QLineEdit*>();
    }
};

constexpr int kFirstFactor = 4, kFirstResult = 7;

} // namespace

namespace {

/// Types as a user does: into the editor where one is open, into the table otherwise.
void type(Window& window, const QString& keys)
{
    for (const QChar& key : keys) {
        auto* editor = window.view().findChild<QLineEdit*>();
        QWidget* target = editor && editor->isVisible() ? static_cast<QWidget*>(editor) : &window.view();
        if (key == QLatin1Char('\n'))
            QTest::keyClick(target, Qt::Key_Return);
        else if (key == QLatin1Char('\t'))
            QTest::keyClick(target, Qt::Key_Tab);
        else
            QTest::keyClicks(target, key);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

void goTo(Window& window, int row, int column)
{
    window.view().setFocus();
    window.view().selectionModel()->setCurrentIndex(window.view().model()->index(row, column),
                                                    QItemSelectionModel::ClearAndSelect);
}

std::optional<double> resultAt(const Window& window, int place, const char* response)
{
    const study::Run& run = *study::inRunOrder(window.study())[size_t(place)];
    const auto found = run.results.find(response);
    return found == run.results.end() ? std::nullopt : std::optional(found->second);
}

/// Chooses from the menu of the matrix.
void choose(Window& window, const QString& words)
{
    QTimer::singleShot(0, &window.page, [&window, words] {
        auto* menu = window.page.findChild<QMenu*>("runMenu");
        for (QAction* action : menu->actions())
            if (action->text().remove(QLatin1Char('&')) == words && action->isEnabled())
                action->trigger();
        menu->close();
    });
    emit window.view().customContextMenuRequested({5, 5});
}

} // namespace

class DesignPageTest : public QObject {
    Q_OBJECT

private slots:
    void tellsTheConsequencesBeforeAndAfterAnEdit()
    {
        Window window(exampleWithoutResults());
        auto& quality = *window.page.findChild<QualityPanel*>();
        QTRY_VERIFY(quality.judgment().evaluation);
        const double before = quality.judgment().evaluation->dEfficiency;
        const int run = window.view().runIdAt(1);
        QLineEdit* editor = window.edit(1, kFirstFactor + 2);
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, "33");
        QTRY_VERIFY2(window.notice().contains("at 33 would mean: "), qPrintable(window.notice()));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY2(window.notice().contains("is now 33: "), qPrintable(window.notice()));
        QCOMPARE(study::numberOf(study::findRun(window.study(), run)->settings.at("gradient_compression")),
                 33.0);
        QVERIFY(quality.judgment().evaluation->dEfficiency != before);

        QTest::mouseClick(&window.child<QPushButton>("noticeUndo"), Qt::LeftButton);
        QCOMPARE(window.study(), exampleWithoutResults());
        QTRY_COMPARE(quality.judgment().evaluation->dEfficiency, before);
        QCOMPARE(window.notice(), QString());
    }

    void forgetsThePreviewOfAnEditThatIsGivenUp()
    {
        Window window(exampleWithoutResults());
        QTRY_VERIFY(window.page.findChild<QualityPanel*>()->judgment().evaluation);
        QLineEdit* editor = window.edit(1, kFirstFactor + 2);
        editor->selectAll();
        QTest::keyClicks(editor, "33");
        QTRY_VERIFY(!window.notice().isEmpty());
        QTest::keyClick(editor, Qt::Key_Escape);
        QTRY_COMPARE(window.notice(), QString());
        QCOMPARE(window.history.size(), size_t(1));
    }

    void refusesSettingsThatCannotBeRun()
    {
        study::Study study = exampleWithoutResults();
        study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
        Window window(study);
        for (const auto& [typed, complaint] :
             {std::pair{"12.5", "the nearest is"}, {"many", "expected a number"}}) {
            QLineEdit* editor = window.edit(0, kFirstFactor);
            editor->selectAll();
            QTest::keyClicks(editor, QLatin1String(typed));
            QTest::keyClick(editor, Qt::Key_Return);
            QVERIFY2(window.notice().contains(QLatin1String(complaint)), qPrintable(window.notice()));
            QCOMPARE(window.history.size(), size_t(1));
        }
        const int row = [&] { // where batch 256 stands, more than 32 GPUs break the condition
            for (int i = 0;; ++i)
                if (window.view().model()->index(i, kFirstFactor + 1).data().toString() ==
                    QLatin1String("256"))
                    return i;
        }();
        QLineEdit* editor = window.edit(row, kFirstFactor);
        editor->selectAll();
        QTest::keyClicks(editor, "64");
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(window.history.size(), size_t(1));
    }

    void protectsRunsWithResultsAndRunningExperiments()
    {
        study::Study study = exampleWithoutResults();
        study.runs[0].results["images_per_sec"] = 100.0;
        Window window(study);
        const auto flagsOf = [&](int run, int column) {
            for (int row = 0;; ++row)
                if (window.view().runIdAt(row) == run)
                    return window.view().model()->index(row, column).flags();
        };
        QVERIFY(!flagsOf(study.runs[0].id, kFirstFactor).testFlag(Qt::ItemIsEditable));
        QVERIFY(flagsOf(study.runs[1].id, kFirstFactor).testFlag(Qt::ItemIsEditable));
        window.show(true);
        QVERIFY(!flagsOf(study.runs[1].id, kFirstFactor).testFlag(Qt::ItemIsEditable));
        QVERIFY(!flagsOf(study.runs[1].id, kFirstResult).testFlag(Qt::ItemIsEditable));
    }

    void copiesAndPastesByKeyboard()
    {
        Window window(exampleWithoutResults());
        window.view().setFocus();
        QTest::keyClick(&window.view(), Qt::Key_C, Qt::ControlModifier);
        QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 16);
        for (int i = 1; i < lines.size(); ++i) { // as a spreadsheet sends it back, sorted backwards
            QStringList cells = lines[i].split(QLatin1Char('\t'));
            cells[kFirstResult] = QString::number(1000 + cells[1].toInt());
            lines[i] = cells.join(QLatin1Char('\t'));
        }
        std::reverse(lines.begin() + 1, lines.end());
        QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
        QTest::keyClick(&window.view(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(window.history.size(), size_t(2));
        for (const study::Run& run : window.study().runs)
            QCOMPARE(run.results.at("images_per_sec"), 1000.0 + run.id);
        QCOMPARE(window.notice(), QStringLiteral("15 cells pasted."));
    }

    void asksBeforeItTakesPartOfAPaste()
    {
        Window window(exampleWithoutResults());
        window.view().setFocus();
        window.view().setCurrentIndex(window.view().model()->index(0, kFirstResult));
        QGuiApplication::clipboard()->setText(QStringLiteral("1\nfast\n3\n"));
        QString said;
        const auto answer = [&](bool takesOthers) {
            QTimer::singleShot(0, &window.page, [&, takesOthers] {
                auto* box = window.page.findChild<QMessageBox*>("pasteProblems");
                said = box->informativeText();
                auto* others = box->findChild<QAbstractButton*>("takeOthers");
                QTest::mouseClick(takesOthers ? others : box->button(QMessageBox::Cancel), Qt::LeftButton);
            });
            QTest::keyClick(&window.view(), Qt::Key_V, Qt::ControlModifier);
        };
        answer(false);
        QVERIFY2(said.contains("“fast”, expected a number"), qPrintable(said));
        QCOMPARE(window.history.size(), size_t(1));
        answer(true);
        QCOMPARE(window.history.size(), size_t(2));
        QCOMPARE(study::inRunOrder(window.study())[2]->results.at("images_per_sec"), 3.0);
        QCOMPARE(window.view().model()->index(1, kFirstResult).data().toString(), QStringLiteral("⚠ fast"));
    }

    void sortsByAnyColumn()
    {
        Window window(exampleWithoutResults());
        auto* header = window.view().horizontalHeader();
        const auto clickHeading = [&](int column) {
            window.view().scrollTo(window.view().model()->index(0, column));
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              {header->sectionViewportPosition(column) + 8, header->height() / 2});
        };
        const auto numberAt = [&](int row, int column) {
            return window.view().model()->index(row, column).data().toDouble();
        };
        clickHeading(kFirstFactor + 1); // 32, 144, 256: as numbers, not as texts
        for (int row = 1; row < 15; ++row)
            QVERIFY(numberAt(row - 1, kFirstFactor + 1) <= numberAt(row, kFirstFactor + 1));
        clickHeading(kFirstFactor + 1);
        QCOMPARE(numberAt(0, kFirstFactor + 1), 256.0);
        window.page.pickRuns(9);
        QCOMPARE(window.view().runIdAt(window.view().currentIndex().row()), 9);
    }

    void showsCodedAndActualSettings()
    {
        Window window(exampleWithoutResults());
        auto& units = window.child<QComboBox>("settingUnits");
        units.setFocus();
        QTest::keyClick(&units, Qt::Key_End);
        QCOMPARE(window.view().model()->columnCount(), 4 + 2 * 3 + 2);
        QCOMPARE(window.view().model()->index(0, kFirstFactor).data().toString(), QStringLiteral("36"));
        QCOMPARE(window.view().model()->index(0, kFirstFactor + 1).data().toString(), QStringLiteral("0"));
        QVERIFY(!window.view().model()->index(0, kFirstFactor + 1).flags().testFlag(Qt::ItemIsEditable));
    }

    void judgesForAnotherModelAndEffect()
    {
        Window window(exampleWithoutResults());
        auto& quality = *window.page.findChild<QualityPanel*>();
        QTRY_VERIFY(quality.judgment().evaluation);
        QCOMPARE(quality.judgment().evaluation->dfModel, 9);
        window.child<QComboBox>("judgedModel").setCurrentText(QStringLiteral("linear"));
        QTRY_COMPARE(quality.judgment().evaluation->dfModel, 3);
        const double before = quality.judgment().evaluation->power.front().power;
        window.child<QDoubleSpinBox>("effectSize").setValue(3.0);
        QTRY_VERIFY(quality.judgment().evaluation->power.front().power > before);
    }

    void saysWhatLegalSettingsCost()
    {
        study::Study study = exampleWithoutResults();
        study.factors[0].multipleOf = 8; // the middle of 8 … 64 is no multiple of 8
        study = design::layOut(std::move(study));
        Window window(study);
        auto& quality = *window.page.findChild<QualityPanel*>();
        QTRY_VERIFY(quality.judgment().evaluation);
        const auto& legal = quality.judgment().evaluation->legal;
        QVERIFY(legal && legal->isMoved());
        const QString text = window.child<QLabel>("qualityMessage").text();
        for (const report::Finding& finding : report::findInMovedRuns(*legal))
            QCOMPARE(text.count(QString::fromStdString(finding.sentence)), 1);
    }

    void addsRunsAfterShowingWhatTheyBring()
    {
        study::Study study = exampleWithoutResults();
        study.runs[0].results = {{"images_per_sec", 100.0}, {"scaling_efficiency", 90.0}};
        study.runs[0].status = study::RunStatus::Done;
        Window window(study);
        QTest::mouseClick(&window.child<QPushButton>("augmentDesign"), Qt::LeftButton);
        auto& dialog = window.child<AugmentDialog>("augmentDialog");
        auto* add = dialog.findChild<QPushButton*>("addRuns");
        for (const char* way : {"add-optimal", "add-center"}) {
            dialog.findChild<QRadioButton*>(QLatin1String(way))->click();
            dialog.findChild<QSpinBox*>("addedRuns")->setValue(4);
            QVERIFY(!add->isEnabled());
            QTRY_VERIFY2_WITH_TIMEOUT(add->isEnabled(), way, kPatienceMs);
            QCOMPARE(dialog.augmentedStudy().runs.size(), study.runs.size() + 4);
            QCOMPARE(dialog.findChild<QTableView*>("comparisonTable")->model()->index(0, 0).data().toString(),
                     QStringLiteral("Runs"));
        }
        window.history.push_back(study); // meanwhile
        window.history.back().responses[0].weight = 4.0;
        window.show();
        QTest::mouseClick(add, Qt::LeftButton);
        QTRY_COMPARE(window.history.size(), size_t(3));
        QCOMPARE(window.study().responses[0].weight, 4.0);
        for (size_t i = 0; i < study.runs.size(); ++i)
            QCOMPARE(window.study().runs[i], study.runs[i]);
        for (size_t i = study.runs.size(); i < window.study().runs.size(); ++i)
            QCOMPARE(window.study().runs[i].status, study::RunStatus::Pending);
        QCOMPARE(window.notice(), QStringLiteral("Center points: 4 runs added."));
    }

    void comparesWithAnotherDesign()
    {
        Window window(exampleWithoutResults());
        QSignalSpy wanted(&window.page, &DesignPage::comparisonFileRequested);
        QTest::mouseClick(&window.child<QPushButton>("compareDesign"), Qt::LeftButton);
        auto& dialog = window.child<CompareDialog>("compareDialog");
        QTest::mouseClick(dialog.findChild<QPushButton*>("comparedFile"), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        study::Study other = exampleWithoutResults();
        other.runs.resize(10);
        window.page.compareWith(QStringLiteral("ten of them"), other);
        auto* table = dialog.findChild<QTableView*>("comparisonTable");
        const auto heading = [&] {
            return table->model()->headerData(2, Qt::Horizontal).toString().simplified();
        };
        QTRY_COMPARE(heading(), QStringLiteral("ten of them (10 runs)"));
        QVERIFY(dialog.findChild<QLabel*>("comparisonNote")->text().startsWith("●"));
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QString name = table->model()->index(row, 0).data().toString();
            QVERIFY2(table->fontMetrics().horizontalAdvance(name) < table->columnWidth(0), qPrintable(name));
        }
        QVERIFY(table->model()->index(0, 1).data().toString().contains("15"));
        QVERIFY(table->model()->index(0, 2).data().toString().contains("10"));
    }

    void saysWhatIsMissing()
    {
        study::Study study = exampleWithoutResults();
        study.runs.clear();
        Window window(study);
        QSignalSpy asked(&window.page, &DesignPage::editRequested);
        auto& button = window.child<QPushButton>("setUpDesign");
        QVERIFY(button.isVisible());
        button.setFocus();
        QTest::keyClick(&button, Qt::Key_Space);
        QCOMPARE(asked.count(), 1);
    }

    void typesDownAColumnAsInASpreadsheet()
    {
        Window window(exampleWithoutResults());
        goTo(window, 0, kFirstResult);
        type(window, QStringLiteral("71.5\n80.2\n1 234.5\n"));
        QCOMPARE(resultAt(window, 0, "images_per_sec"), std::optional(71.5));
        QCOMPARE(resultAt(window, 1, "images_per_sec"), std::optional(80.2));
        QCOMPARE(resultAt(window, 2, "images_per_sec"), std::optional(1234.5));
        QCOMPARE(window.view().currentIndex(), window.view().model()->index(3, kFirstResult));
        QCOMPARE(window.history.size(), size_t(4)); // one step back for each value
        QTest::keyClick(&window.view(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(window.view().currentIndex().row(), 2);
        type(window, QStringLiteral("9")); // replaces
        QTest::keyClick(window.view().findChild<QLineEdit*>(), Qt::Key_Up);
        QCOMPARE(resultAt(window, 2, "images_per_sec"), std::optional(9.0));
        QCOMPARE(window.view().currentIndex().row(), 1);
        goTo(window, 14, kFirstResult);
        type(window, QStringLiteral("5\n6\n"));
        QCOMPARE(resultAt(window, 14, "images_per_sec"), std::optional(6.0)); // the last one stays
        window.page.resize(1000, 460);
        type(window, QStringLiteral("fast\n")); // a line below the table takes some of its room
        QVERIFY(!window.notice().isEmpty());
        QCoreApplication::processEvents();
        QVERIFY(window.view().viewport()->rect().contains(
            window.view().visualRect(window.view().currentIndex())));
    }

    void typesAlongARow()
    {
        Window window(exampleWithoutResults());
        goTo(window, 0, kFirstResult);
        type(window, QStringLiteral("100\t80\t200\t90\n300\n"));
        QCOMPARE(resultAt(window, 0, "scaling_efficiency"), std::optional(80.0));
        QCOMPARE(resultAt(window, 1, "images_per_sec"), std::optional(200.0));
        QCOMPARE(resultAt(window, 1, "scaling_efficiency"), std::optional(90.0));
        QCOMPARE(resultAt(window, 2, "images_per_sec"),
                 std::optional(300.0)); // Enter goes back to where Tab began
        QTest::keyClick(&window.view(), Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(window.view().currentIndex().row(), 3);
        QVERIFY(window.view().currentIndex().column() < kFirstResult);
    }

    void leavesTheTableByTab()
    {
        Window window(exampleWithoutResults());
        QVERIFY(QTest::qWaitForWindowActive(&window.page, kPatienceMs));
        goTo(window, 0, 0); // nothing can be typed there
        QTest::keyClick(&window.view(), Qt::Key_Tab);
        QVERIFY(!window.view().hasFocus());
        goTo(window, 14, kFirstResult + 1);
        QTest::keyClick(&window.view(), Qt::Key_Tab);
        QVERIFY(!window.view().hasFocus());
    }

    void skipsExcludedRuns()
    {
        study::Study study = exampleWithoutResults();
        study::findRun(study, study::inRunOrder(study)[1]->id)->status = study::RunStatus::Excluded;
        Window window(study);
        goTo(window, 0, kFirstResult);
        type(window, QStringLiteral("1\n2\n"));
        QVERIFY(!resultAt(window, 1, "images_per_sec"));
        QCOMPARE(resultAt(window, 2, "images_per_sec"), std::optional(2.0));
    }

    void keepsWhatCannotBeRead()
    {
        Window window(exampleWithoutResults());
        goTo(window, 0, kFirstResult);
        type(window, QStringLiteral("fast\n2\n"));
        const QModelIndex cell = window.view().model()->index(0, kFirstResult);
        QCOMPARE(cell.data().toString(), QStringLiteral("⚠ fast"));
        QVERIFY2(window.notice().contains("“fast”, expected a number"), qPrintable(window.notice()));
        QCOMPARE(resultAt(window, 1, "images_per_sec"), std::optional(2.0));
        QVERIFY(!resultAt(window, 0, "images_per_sec"));
        goTo(window, 0, kFirstResult);
        type(window, QStringLiteral("1\n"));
        QCOMPARE(cell.data().toString(), QStringLiteral("1"));
        QCOMPARE(window.notice(), QString());
        goTo(window, 3, kFirstFactor);
        type(window, QStringLiteral("12.5\n"));
        QCOMPARE(window.view().model()->index(3, kFirstFactor).data().toString(), QStringLiteral("⚠ 12.5"));
        QVERIFY(window.view()
                    .model()
                    ->index(3, kFirstFactor)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains("the nearest is"));
        goTo(window, 3, kFirstFactor);
        QTest::keyClick(&window.view(), Qt::Key_Delete);
        QVERIFY(!window.view().model()->index(3, kFirstFactor).data().toString().contains("⚠"));
    }

    void clearsAndCopiesBlocks()
    {
        Window window(exampleWithoutResults());
        goTo(window, 0, kFirstResult);
        type(window, QStringLiteral("1\t2\n3\t4\n"));
        const study::Study full = window.study();
        auto* model = window.view().model();
        const auto select = [&](int row, int column, int lastRow, int lastColumn) {
            goTo(window, row, column);
            window.view().selectionModel()->select(
                {model->index(row, column), model->index(lastRow, lastColumn)},
                QItemSelectionModel::ClearAndSelect);
        };
        select(0, kFirstResult, 1, kFirstResult + 1);
        QTest::keyClick(&window.view(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("1\t2\n3\t4\n"));
        QTest::keyClick(&window.view(), Qt::Key_Delete);
        QVERIFY(!resultAt(window, 0, "images_per_sec") && !resultAt(window, 1, "scaling_efficiency"));
        QTest::mouseClick(&window.child<QPushButton>("noticeUndo"), Qt::LeftButton);
        QCOMPARE(window.study(), full);
        goTo(window, 5, kFirstResult);
        QTest::keyClick(&window.view(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(resultAt(window, 5, "images_per_sec"), std::optional(1.0));
        QCOMPARE(resultAt(window, 6, "scaling_efficiency"), std::optional(4.0));
    }

    void picksWholeRowsAndColumns()
    {
        Window window(exampleWithoutResults());
        window.view().setFocus();
        const QRect order = window.view().visualRect(window.view().model()->index(2, 0));
        QTest::mouseClick(window.view().viewport(), Qt::LeftButton, {}, order.center());
        QTest::keyClick(&window.view(), Qt::Key_C, Qt::ControlModifier);
        QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2); // with headings, so that it can be pasted by name
        QVERIFY(lines[0].startsWith("run order\tstd order"));
        goTo(window, 0, kFirstFactor);
        QTest::keyClick(&window.view(), Qt::Key_Space, Qt::ControlModifier);
        QTest::keyClick(&window.view(), Qt::Key_C, Qt::ControlModifier);
        lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 15);
        QCOMPARE(lines[0], QStringLiteral("36"));
    }

    void digitsNeverSearch()
    {
        Window window(exampleWithoutResults());
        goTo(window, 0, 0);
        QTest::keyClicks(&window.view(), "7");
        QCOMPARE(window.view().currentIndex().row(), 0);
    }

    void repeatsAndDeletesRuns()
    {
        Window window(exampleWithoutResults());
        goTo(window, 0, kFirstResult);
        const int id = window.view().runIdAt(0);
        choose(window, QStringLiteral("Duplicate run %1").arg(id));
        QCOMPARE(window.study().runs.size(), size_t(16));
        const study::Run& copy = window.study().runs.back();
        QCOMPARE(copy.settings, study::findRun(window.study(), id)->settings);
        QCOMPARE(copy.kind, study::RunKind::Augment);
        QCOMPARE(copy.order, 16);
        QCOMPARE(copy.status, study::RunStatus::Pending);
        goTo(window, 15, kFirstResult);
        choose(window, QStringLiteral("Delete run %1").arg(copy.id));
        QCOMPARE(window.study(), exampleWithoutResults());
        QTest::mouseClick(&window.child<QPushButton>("noticeUndo"), Qt::LeftButton);
        QCOMPARE(window.study().runs.size(), size_t(16));
        goTo(window, 0, kFirstResult);
        type(window, QStringLiteral("5\n"));
        goTo(window, 0, kFirstResult);
        const size_t steps = window.history.size();
        choose(window, QStringLiteral("Delete run %1").arg(id));
        QCOMPARE(window.history.size(), steps); // it has a result
    }

    void excludesSeveralRunsAtOnce()
    {
        Window window(exampleWithoutResults());
        goTo(window, 1, kFirstResult);
        QTest::keyClick(&window.view(), Qt::Key_Down, Qt::ShiftModifier);
        QTimer::singleShot(50, &window.page, [&window] {
            auto* dialog = window.page.findChild<QInputDialog*>("excludeRuns");
            QVERIFY(dialog->labelText().contains("kept with the data"));
            dialog->setTextValue(QStringLiteral("fan failed"));
            dialog->accept();
        });
        choose(window, QStringLiteral("Exclude 2 runs…"));
        QCOMPARE(study::countRuns(window.study(), study::RunStatus::Excluded), 2);
        QCOMPARE(study::inRunOrder(window.study())[2]->reason, std::string("fan failed"));
        choose(window, QStringLiteral("Include 2 runs"));
        QCOMPARE(window.study(), exampleWithoutResults());
    }

    void replicatesTheDesign()
    {
        Window window(exampleWithoutResults());
        goTo(window, 0, kFirstResult);
        QTimer::singleShot(50, &window.page, [&window] { window.page.findChild<QInputDialog*>()->accept(); });
        choose(window, QStringLiteral("Replicate the design…"));
        QCOMPARE(window.study().runs.size(), size_t(30));
        QCOMPARE(study::countRuns(window.study(), study::RunStatus::Pending), 30);
    }

    void saysThatAFoldoverOnlyRepeats()
    {
        Window window(exampleWithoutResults()); // Box–Behnken: the mirror image of every run is in the design
        QTest::mouseClick(&window.child<QPushButton>("augmentDesign"), Qt::LeftButton);
        auto& dialog = window.child<AugmentDialog>("augmentDialog");
        auto* state = dialog.findChild<QLabel*>("augmentState");
        dialog.findChild<QRadioButton*>("add-foldover")->click();
        QTRY_VERIFY2_WITH_TIMEOUT(state->text().contains("only repeat"), qPrintable(state->text()),
                                  kPatienceMs);
        dialog.findChild<QRadioButton*>("add-center")->click();
        QTRY_VERIFY2_WITH_TIMEOUT(state->text().contains("more;"), qPrintable(state->text()), 20000);
        QVERIFY(!state->text().contains("only repeat"));
        dialog.reject();
    }

    void usesWideWindowsForThePicture()
    {
        Window window(exampleWithoutResults());
        auto& quality = *window.page.findChild<QualityPanel*>();
        const int narrow = quality.width();
        window.page.resize(2300, 1200);
        QTRY_VERIFY(quality.width() > 2 * narrow);
        const auto& view = window.view();
        QVERIFY(view.horizontalHeader()->length() <= view.viewport()->width());
    }

    void saysWhereTheFileIs()
    {
        Window window(exampleWithoutResults());
        auto context = std::make_shared<StudyContext>();
        context->study = exampleWithoutResults();
        context->path = "/tmp/folder/scaling.quadric";
        window.page.setContext(context);
        bool isSaid = false;
        for (const QLabel* label : window.page.findChildren<QLabel*>())
            isSaid |= label->toolTip().contains("/tmp/folder/scaling.quadric");
        QVERIFY(isSaid);
    }
};

QUADRIC_QT_TEST(DesignPageTest)
#include "design_page_test.moc"
