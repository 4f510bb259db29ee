// SPDX-License-Identifier: GPL-3.0-or-later

// From a script that prints two numbers to its first live runs, as a newcomer goes: wizard, a dropped file, a
// test whose output is clicked on, and Start. Four factors of four kinds.

#include "app/gui/dialogs/study_dialogs.h"
#include "app/gui/main_window.h"
#include "tests/support/qt_tests.h"
#include "widgets/wizard/command/output_view.h"
#include "widgets/wizard/sheets/factor_table_model.h"
#include "widgets/wizard/sheets/response_table_model.h"
#include "widgets/wizard/study_wizard.h"

#include "test_surroundings.h"

#include <QAbstractButton>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <QTextCursor>
#include <QUrl>

#include <cmath>

using namespace quadric;
using widgets::FactorTableModel;
using widgets::ResponseTableModel;
using widgets::WizardStep;

namespace {

/// From the window's first picture to the first run, with everything typed below: the path has to stay short.
constexpr int kMostClicks = 30;

constexpr const char* kScript = R"(import argparse, sys
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float)
parser.add_argument("--batch", type=int)
parser.add_argument("--workers", type=int)
parser.add_argument("--optimizer")
a = parser.parse_args()
print("loading data ... done in 0.25 s")
for epoch in range(1, 4):
    print(f"epoch {epoch}/3 loss {1.0 / epoch:.3f}", file=sys.stderr)
print(f"throughput: {1000.0 * a.batch + a.workers:,.1f} img/s")
print(f"top-1 accuracy after 3 epochs: {a.lr * 1e-3 * (2 if a.optimizer == 'adam' else 1):.6e}")
)";

} // namespace

class OwnScriptJourneyTest : public test::Journey {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(m_scripts.filePath("train.py"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kScript) > 0);
        openWindow();
    }

    void factorsAndResponsesAreTyped()
    {
        QVERIFY(click(*m_window, "newStudy"));
        QTRY_VERIFY(wizard() && wizard()->isVisible());
        QVERIFY(click(*wizard(), "template-own-command"));
        QVERIFY(click(*wizard(), "wizardNext"));
        while (!wizard()->study().factors.empty()) // a template without any has none to remove
            QTest::mouseClick(wizard()->findChild<QPushButton*>("removeFactor"), Qt::LeftButton);
        for (int i = 0; i < 4; ++i)
            QVERIFY(click(*wizard(), "addFactor"));
        using F = FactorTableModel;
        typeRow("factorTable", 0,
                {{F::Name, "lr"}, {F::Low, "0.001"}, {F::High, "0.1"}, {F::ScaleColumn, "log2"}});
        typeRow("factorTable", 1, {{F::Name, "batch"}, {F::Type, "integer"}, {F::Low, "8"}, {F::High, "64"}});
        typeRow("factorTable", 2, {{F::Name, "workers"}, {F::Type, "discrete"}, {F::Levels, "1, 2, 4"}});
        typeRow("factorTable", 3,
                {{F::Name, "optimizer"}, {F::Type, "categorical"}, {F::Levels, "adam, sgd"}});
        QVERIFY(click(*wizard(), "wizardNext"));
        while (wizard()->study().responses.size() < 2)
            QVERIFY(click(*wizard(), "addResponse"));
        typeRow("responseTable", 0,
                {{ResponseTableModel::Name, "throughput"}, {ResponseTableModel::Unit, "img/s"}});
        typeRow("responseTable", 1, {{ResponseTableModel::Name, "val_acc"}});
        QVERIFY(click(*wizard(), "wizardNext"));
        QVERIFY(click(*wizard(), "design-fractional-factorial"));
        QVERIFY(click(*wizard(), "wizardNext"));
        QCOMPARE(wizard()->step(), WizardStep::Measurement);
    }

    void theScriptIsDropped()
    {
        auto* command = wizard()->findChild<QLineEdit*>("command");
        command->selectAll(); // of the template, where it has one
        QTest::keyClick(command, Qt::Key_Delete);
        QWidget* page = command;
        while (page && !page->acceptDrops())
            page = page->parentWidget();
        QVERIFY(page);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(m_scripts.filePath("train.py"))});
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(page, &enter);
        QDropEvent drop({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(page, &drop);
        ++m_clicks;
        const std::string preview = wizard()->findChild<QLabel*>("commandPreview")->text().toStdString();
        QVERIFY2(preview.starts_with("Run 1: python3 train.py "), preview.c_str());
        for (const char* option : {"--lr 0.", "--batch ", "--workers ", "--optimizer "})
            QVERIFY2(preview.find(option) != preview.npos, preview.c_str());
        QVERIFY2(wizard()->problems().isEmpty(), qPrintable(wizard()->problems().join("; ")));
    }

    void resultsAreReadWithAClick()
    {
        QVERIFY(click(*wizard(), "testCommand"));
        approveIfAsked();
        QDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = m_window->findChild<QDialog*>("trialDialog")));
        auto* output = dialog->findChild<widgets::OutputView*>("trialOutput");
        QTRY_VERIFY_WITH_TIMEOUT(output->toPlainText().contains("top-1 accuracy"), kPatienceMs);
        QVERIFY(click(*dialog, "offer-throughput"));
        const QString line = output->toPlainText().split('\n').filter("top-1").front();
        QTextCursor cursor = output->document()->find(line.mid(line.lastIndexOf(' ') + 1));
        cursor.setPosition(cursor.selectionStart() + 2);
        QTest::mouseClick(output->viewport(), Qt::LeftButton, {}, output->cursorRect(cursor).center());
        ++m_clicks;
        const QString state = dialog->findChild<QLabel*>("trialState")->text();
        QVERIFY2(state.startsWith("✓"), qPrintable(state));
        QVERIFY(click(*dialog, "closeTrial"));
        const study::ParseSpec& parse = wizard()->study().benchmark.parse;
        QCOMPARE(parse.patterns.at("throughput"), std::string("throughput: {number}"));
        QCOMPARE(parse.patterns.at("val_acc"), std::string("epochs: {number}"));
        QVERIFY(click(*wizard(), "wizardNext"));
        QVERIFY(click(*wizard(), "wizardFinish"));
        QTRY_VERIFY(m_window->session().editor().isOpen() && !wizard());
    }

    void runsAreMeasured()
    {
        QVERIFY(click(*m_window, "stepRun"));
        QVERIFY(click(test::findButton(*m_window, "Start")));
        approveIfAsked();
        QVERIFY2(m_clicks <= kMostClicks, qPrintable(QString("%1 clicks").arg(m_clicks)));
        const int runs = static_cast<int>(study().runs.size());
        QTRY_COMPARE_WITH_TIMEOUT(study::countRuns(study(), study::RunStatus::Done), runs, kExperimentMs);
        for (const study::Run& run : study().runs) {
            const auto setting = [&run](const char* name) { return study::numberOf(run.settings.at(name)); };
            QCOMPARE(run.results.at("throughput"), 1000.0 * setting("batch") + setting("workers"));
            const bool isAdam = run.settings.at("optimizer") == study::Value("adam");
            const double accuracy = setting("lr") * 1e-3 * (isAdam ? 2 : 1);
            QVERIFY(std::abs(run.results.at("val_acc") - accuracy) <= 1e-6 * accuracy);
        }
    }

    /// Results, patterns and all else follow a response that gets another name, and undo brings everything
    /// back.
    void aResponseIsRenamed()
    {
        QVERIFY(m_window->session().editor().isOpen());
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().editor().context()->isRunning, kExperimentMs);
        const study::Study before = study();
        m_window->findChild<app::StudyDialogs*>()->editDesign(WizardStep::Responses);
        QTRY_VERIFY(wizard() && wizard()->isVisible());
        typeRow("responseTable", 1, {{ResponseTableModel::Name, "accuracy"}});
        QVERIFY2(wizard()->problems().isEmpty(), qPrintable(wizard()->problems().join("; ")));
        QVERIFY(click(*wizard(), "wizardFinish"));
        QTRY_COMPARE(study().responses[1].name, std::string("accuracy"));
        QCOMPARE(study().benchmark.parse.patterns.at("accuracy"), std::string("epochs: {number}"));
        QCOMPARE(study().runs.front().results.at("accuracy"), before.runs.front().results.at("val_acc"));
        m_window->session().editor().undo();
        QVERIFY(study() == before);
        m_window->session().editor().redo();
        const study::Study renamed = study();
        QCOMPARE(renamed.runs.back().results.count("accuracy"), size_t(1));
        const QString path =
            QString::fromStdU16String(m_window->session().editor().context()->path.u16string());
        m_window->close();
        m_window = std::make_unique<app::MainWindow>(*m_store);
        m_window->show();
        m_window->openStudy(path);
        QVERIFY(m_window->session().editor().isOpen());
        QVERIFY2(study() == renamed, "records of the runs bring no old names back");
    }

    void cleanupTestCase() { m_window.reset(); }

private:
    widgets::StudyWizard* wizard() { return m_window->findChild<widgets::StudyWizard*>(); }
    /// Cell by cell, as with Tab; choices are taken as their lists set them.
    void typeRow(const char* table, int row, const std::vector<std::pair<int, const char*>>& cells)
    {
        auto* view = wizard()->findChild<QTableView*>(QLatin1String(table));
        for (const auto& [column, text] : cells)
            QVERIFY2(view->model()->setData(view->model()->index(row, column), QString(text), Qt::EditRole),
                     text);
    }

    QTemporaryDir m_scripts;
};

QUADRIC_QT_TEST(OwnScriptJourneyTest)
#include "own_script_journey_test.moc"
