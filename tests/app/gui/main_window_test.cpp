// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/rail.h"
#include "app/gui/frame/workspace.h"
#include "app/gui/main_window.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"

#include <QComboBox>
#include <QDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>

using namespace quadric;

/// A study of another field, whose results are typed: 2² with a category, in the order of the runs.
static study::Study typedStudy()
{
    study::Study study;
    study.name = "Yield";
    study.factors = {
        {.name = "temperature", .unit = "°C", .low = 60, .high = 100},
        {.name = "catalyst", .type = study::FactorType::Categorical, .categories = {"Pd", "Pt"}}};
    study.responses = {{.name = "yield", .unit = "%", .goal = study::Goal::Maximize}};
    study.design.type = "full-factorial";
    study.benchmark.workload = "none";
    for (int i = 0; i < 4; ++i)
        study.runs.push_back({.id = i + 1,
                              .order = i + 1,
                              .settings = {{"temperature", i % 2 ? 100.0 : 60.0},
                                           {"catalyst", std::string(i < 2 ? "Pd" : "Pt")}}});
    return study;
}

class MainWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::startAfresh(m_folder); }

    void opensAnExampleAndVisitsEveryStep()
    {
        test::ShownWindow window(m_folder);
        QCOMPARE(window.windowTitle(), QStringLiteral("Quadric"));
        click(window, "example0");
        QVERIFY2(window.windowTitle().startsWith("ResNet-18 on one H200 — "),
                 qPrintable(window.windowTitle()));
        const QFileInfo file(
            QString::fromStdU16String(window.session().editor().context()->path.u16string()));
        QVERIFY2(window.windowTitle().contains(file.fileName()), qPrintable(window.windowTitle()));
        for (int step = 0; step < app::kSteps; ++step) {
            QTest::keyClick(&window, static_cast<Qt::Key>(Qt::Key_1 + step), Qt::ControlModifier);
            const QString name = app::stepName(static_cast<widgets::Step>(step));
            auto* button = window.findChild<QAbstractButton*>("step" + name);
            QVERIFY2(button->isChecked(), qPrintable(name));
        }
        QVERIFY(window.close());
        test::ShownWindow next(m_folder);
        QVERIFY(next.findChild<QWidget*>("recent0"));
    }

    void theWizardListsTheGpusOfTheMachine()
    {
        qputenv("QUADRIC_TRAINER", builtPath("bin/quadric-trainer"));
        qputenv("QUADRIC_CUDA_MODULE", builtPath("tests/core/trainer/played_module.so"));
        qputenv("LD_LIBRARY_PATH", builtPath("tests/core/machine/driver"));
        test::ShownWindow window(m_folder);
        click(window, "newStudy");
        auto* wizard = window.findChild<QDialog*>("studyWizard");
        QVERIFY(wizard);
        for (int page = 1; page < 5; ++page)
            click(*wizard, "wizardNext");
        QTRY_VERIFY_WITH_TIMEOUT(wizard->findChild<QWidget*>("deviceList"), kPatienceMs);
        QStringList texts;
        for (const QLabel* label : wizard->findChild<QWidget*>("deviceList")->findChildren<QLabel*>())
            texts << label->text();
        for (const char* expected : {"7 NVIDIA H100 80GB HBM3", "68.0 of 80.0 GiB", "00000000:3A:00.0",
                                     "4, 5, 6", "python3\n(process 4711)"})
            QVERIFY2(texts.contains(QLatin1String(expected)), expected);
        QTest::qWait(100);
        wizard->reject();
        for (const char* name : {"QUADRIC_TRAINER", "QUADRIC_CUDA_MODULE", "LD_LIBRARY_PATH"})
            qunsetenv(name);
    }

    void typesAResultAndTakesItBack()
    {
        test::ShownWindow window(m_folder);
        openResNet(window);
        window.showStep(widgets::Step::Design);
        auto* table = window.findChild<QTableView*>("runMatrix");
        const QModelIndex cell = table->model()->index(0, 7);
        QVERIFY(table->model()->setData(cell, QStringLiteral("5000"), Qt::EditRole));
        const int run = table->model()->index(0, 1).data().toInt();
        const auto value = [&] {
            return study::findRun(window.session().editor().context()->study, run)
                ->results.at("images_per_sec");
        };
        QCOMPARE(value(), 5000.0);
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(value(), 4550.7);
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(value(), 5000.0);
        QVERIFY(window.windowTitle().endsWith("●"));
        QTRY_VERIFY(!window.windowTitle().endsWith("●"));
    }

    void typesResultsOnTheStepRun()
    {
        const QString path = m_folder.filePath("yield.quadric");
        study::saveStudy(typedStudy(), path.toStdU16String(), study::DocumentState{});
        test::ShownWindow window(m_folder);
        window.openStudy(path);
        const auto now = [&] { return window.session().editor().context()->study; };
        const study::Study before = now();
        QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
        auto* sheet = window.findChild<QWidget*>("entrySheet");
        QVERIFY(sheet && sheet->isVisible());
        QTest::mouseClick(sheet->findChild<QPushButton*>("entryNext"), Qt::LeftButton);
        for (const char* key : {"7", "1", ".", "5", "\n", "8", "0", "\n"}) {
            QWidget* target = QApplication::focusWidget();
            key[0] == '\n' ? QTest::keyClick(target, Qt::Key_Return)
                           : QTest::keyClicks(target, QLatin1String(key));
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        QCOMPARE(now().runs[0].results.at("yield"), 71.5);
        QCOMPARE(now().runs[1].results.at("yield"), 80.0);
        QCOMPARE(sheet->findChild<QLabel*>("entryProgress")->text(), QStringLiteral("2 of 4 entered"));
        QTest::qWait(100);
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(now(), before);
        QVERIFY(window.windowTitle().startsWith("Yield — yield.quadric ("));
    }

    /// Where nobody has chosen, the runs do: the pages show it, the study does not store it. A transform by
    /// hand stores the models of all responses, until they are chosen automatically again.
    void storesModelsOnlyWhereTheyAreChosenByHand()
    {
        study::Study study =
            study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
        study.model.clear();
        const QString path = m_folder.filePath("automatic.quadric");
        study::saveStudy(study, path.toStdString());
        test::ShownWindow window(m_folder);
        window.openStudy(path);
        app::StudyEditor& editor = window.session().editor();
        const study::Study analyzed = editor.analyzed()->study;
        QCOMPARE(analyzed.responses[0].transform.kind, study::TransformKind::Log);
        QCOMPARE(editor.context()->fits[0].transform.kind, study::TransformKind::Log);
        QCOMPARE(*editor.analyzed()->stored, study);

        window.showStep(widgets::Step::Optimize);
        dragWeight(window);
        QTRY_VERIFY(editor.context()->study.responses[0].weight > study.responses[0].weight);
        study.responses[0].weight = editor.context()->study.responses[0].weight;
        QCOMPARE(editor.context()->study, study);

        window.showStep(widgets::Step::Explore);
        click(window, "pill");
        QComboBox* transform = nullptr;
        for (QComboBox* each : window.findChildren<QComboBox*>())
            if (each->isVisible() && each->accessibleName() == QStringLiteral("Transform"))
                transform = each;
        QVERIFY(transform);
        transform->setCurrentIndex(transform->findData(QStringLiteral("sqrt")));
        emit transform->activated(transform->currentIndex());
        const study::Study byHand = editor.context()->study;
        QCOMPARE(byHand.responses[0].transform.kind, study::TransformKind::Sqrt);
        QCOMPARE(byHand.responses[1].transform, analyzed.responses[1].transform);
        QCOMPARE(byHand.factors, analyzed.factors);
        QCOMPARE(byHand.model.size(), std::size_t(2));
        editor.undo();
        QCOMPARE(editor.context()->study, study);
        editor.redo();
        QCOMPARE(editor.context()->study, byHand);
        click(window, "reset");
        QVERIFY(editor.context()->study.model.empty());
        QCOMPARE(editor.context()->fits[0].transform.kind, study::TransformKind::Log);
    }

    void listsWarningsAndDoesWhatTheyAdvise()
    {
        test::ShownWindow window(m_folder);
        openResNet(window);
        window.showStep(widgets::Step::Explore);
        auto* button = window.findChild<QToolButton*>("warningsButton");
        QVERIFY(window.findChild<QLabel*>("statusWords")->text().contains("simulated data"));
        QVERIFY(button->isVisible());
        QVERIFY2(button->text().contains("warning"), qPrintable(button->text()));
        button->click();
        auto* list = window.findChild<QDialog*>("warnings");
        QVERIFY(list && list->isVisible());
        QTest::mouseClick(list->findChild<QPushButton*>("remedy-copied-results"), Qt::LeftButton);
        QCOMPARE(window.findChild<app::Pages*>()->step(), widgets::Step::Run);
    }

    /// A click anywhere on a button of the rail changes the page and does nothing else.
    void aClickInTheRailOpensNoDialog()
    {
        test::ShownWindow window(m_folder);
        click(window, "example0");
        QCOMPARE(window.findChild<app::Pages*>()->step(), widgets::Step::Optimize);
        auto* button = window.findChild<QWidget*>(QStringLiteral("stepExplore"));
        for (int y = 4; y < button->height(); y += 4) {
            QTest::mouseClick(button, Qt::LeftButton, {}, {button->width() / 2, y});
            QCOMPARE(window.findChild<app::Pages*>()->step(), widgets::Step::Explore);
            for (const auto* dialog : window.findChildren<QDialog*>())
                QVERIFY2(!dialog->isVisible(), qPrintable(dialog->objectName()));
        }
    }

    void complainsAboutABadFile()
    {
        test::ShownWindow window(m_folder);
        window.openStudy(m_folder.filePath("gone.quadric"));
        auto* box = window.findChild<QMessageBox*>("complaint");
        QVERIFY(box && box->informativeText().contains("gone.quadric"));
        QVERIFY(!window.session().editor().isOpen());
    }

    void saysWhatAnotherProgramHasDoneToTheFile()
    {
        const QString path = m_folder.filePath("shared.quadric");
        study::Study study =
            study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
        study::saveStudy(study, path.toStdString());
        test::ShownWindow window(m_folder);
        window.openStudy(path);
        study.description = "theirs";
        study::saveStudy(study, path.toStdString());
        const auto* status = window.findChild<QLabel*>("statusWords");
        QTRY_COMPARE(
            status->text(),
            QStringLiteral("shared.quadric was changed by another program and has been read again."));
        study::Study mine = study;
        mine.responses[0].weight = 4.0;
        study.responses[0].weight = 2.5;
        study.responses[0].goal = study::Goal::Minimize;
        study::saveStudy(study, path.toStdString());
        window.session().editor().change(mine, QStringLiteral("Weight"));
        QVERIFY(!window.session().autosave().saveNow());
        const auto* banner = window.findChild<QWidget*>("documentBanner");
        QVERIFY(banner && banner->isVisible());
        click(window, "keepBeside");
        QTRY_VERIFY(!window.session().autosave().isDirty());
        QVERIFY(!banner->isVisible());
        QVERIFY(QFile::exists(m_folder.filePath("shared (conflict).quadric")));
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY(banner->isVisible());
        click(window, "saveHereAgain");
        QVERIFY(!banner->isVisible() && QFile::exists(path));
    }

    void saysHowLongARunnerStillNeedsWhenItIsOpened()
    {
        const QString path = m_folder.filePath("running.quadric");
        study::saveStudy(study::loadStudy(sourcePath("resources/examples/cpu-ranks.quadric")).study,
                         path.toStdString());
        const study::StudyLock runner(path.toStdString());
        QFile events(path + QStringLiteral("-events"));
        QVERIFY(events.open(QIODevice::WriteOnly));
        events.write(
            R"({"event": "started", "pid": 1, "host": "here", "time": "2026-01-01T00:00:00Z", "pending": 15})"
            "\n"
            R"({"event": "remaining", "seconds": 1200, "low": 900, "high": 1800})"
            "\n");
        events.close();
        test::ShownWindow window(m_folder);
        window.openStudy(path);
        QCOMPARE(window.findChild<QLabel*>("statusRemaining")->text(),
                 QStringLiteral("about 20 minutes left"));
        QCOMPARE(window.findChild<QLabel*>("statusWords")->text(),
                 QStringLiteral("Runs go on when you close Quadric."));
        const QList<QLabel*> labels = window.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text().contains("about 20 minutes left (15 to 30)");
        }));
    }

    void changesItsTheme()
    {
        test::ShownWindow window(m_folder);
        openResNet(window);
        for (const auto theme : {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark}) {
            window.findChild<QAction*>(QStringLiteral("theme%1").arg(int(theme)))->trigger();
            const bool isDark = theme == widgets::ThemeChoice::Dark;
            QTRY_COMPARE(window.palette().color(QPalette::Window).lightness() < 128, isDark);
            QCOMPARE(app::loadSettings(*test::settingsIn(m_folder)).theme, theme);
        }
        window.findChild<QAction*>(QStringLiteral("theme%1").arg(int(widgets::ThemeChoice::Light)))
            ->trigger();
    }

    void saysWhatItIs()
    {
        test::ShownWindow window(m_folder);
        window.findChild<QAction*>("showAbout")->trigger();
        auto* box = window.findChild<QDialog*>("about");
        QVERIFY(box && box->isVisible());
        QStringList texts;
        for (const QLabel* label : box->findChildren<QLabel*>())
            texts << label->text();
        const QString text = texts.join(QLatin1Char('\n'));
        for (const char* words : {"Quadric " QUADRIC_VERSION, "General Public License", "Eigen 3.", "Qt 6.",
                                  "NLopt 2.", "qpdf 1"})
            QVERIFY2(text.contains(QLatin1String(words)), qPrintable(text));
        const auto* address = box->findChild<QLabel*>("homepage");
        QCOMPARE(address->isVisible(), !QStringLiteral(QUADRIC_HOMEPAGE).isEmpty());
        click(*box, "showLicense");
        auto* license = box->findChild<QDialog*>("license");
        QVERIFY(license && license->isVisible());
        QVERIFY(license->findChild<QTextBrowser*>()->toPlainText().contains(
            QStringLiteral("GNU GENERAL PUBLIC LICENSE")));
    }

private:
    static void click(QWidget& window, const char* name)
    {
        auto* widget = window.findChild<QWidget*>(QLatin1String(name));
        QVERIFY2(widget && widget->isVisible(), name);
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    /// A finished study whose results may be edited and are simulated.
    void openResNet(app::MainWindow& window)
    {
        const QString path = m_folder.filePath("resnet.quadric");
        study::saveStudy(study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study,
                         path.toStdString());
        window.openStudy(path);
    }
    /// Drags the first weight of the page Optimize to its largest value.
    static void dragWeight(QWidget& window)
    {
        QSlider* weight = nullptr;
        const auto findWeight = [&] {
            for (auto* slider : window.findChildren<QSlider*>())
                if (!weight && slider->isVisible() && slider->accessibleName().startsWith("Weight of"))
                    weight = slider;
            return weight != nullptr;
        };
        QTRY_VERIFY(findWeight());
        weight->setSliderDown(true);
        for (const int position : {weight->maximum() / 2, weight->maximum() - 1, weight->maximum()})
            weight->setSliderPosition(position);
        weight->setSliderDown(false);
    }

    QTemporaryDir m_folder;
};

QUADRIC_QT_TEST(MainWindowTest)
#include "main_window_test.moc"
