// SPDX-License-Identifier: GPL-3.0-or-later

// From a training script with the three lines of quadric_worker.py to the saved report, as a newcomer goes:
// the script is dropped, its factors and its speed are there, one run is tried, Start, live curves, models
// with intervals, efficiency, PDF. With QUADRIC_SHOTS=FOLDER each step leaves a picture there.

#include "app/gui/main_window.h"
#include "core/model/predict/predict.h"
#include "core/study/factor.h"
#include "core/study/study.h"
#include "tests/support/qt_tests.h"
#include "widgets/monitor/live_chart.h"
#include "widgets/report/report_page.h"
#include "widgets/wizard/sheets/factor_table_model.h"
#include "widgets/wizard/study_wizard.h"

#include "test_surroundings.h"
#include "tests/support/test_paths.h"

#include <QDialog>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace quadric;
using widgets::WizardStep;

namespace {

/// From the dropped script to Start: the path has to stay short.
constexpr int kMostTrainingClicks = 20;

/// Stands for training: a step takes longer for more tokens, and a little for each step.
constexpr const char* kTrainingScript = R"(import time
import quadric_worker as quadric
batch = quadric.setting("micro_batch", 4)
sequence = quadric.setting("sequence", 64)
for step in quadric.steps([None] * 300, items_per_rank=batch * sequence, unit="tokens"):
    time.sleep(0.002 + 1e-5 * batch * sequence)
)";

} // namespace

class TrainingScriptJourneyTest : public test::ScriptJourney {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        openWindow("train gpt.py", kTrainingScript);
        QVERIFY(QFile::copy(sourcePath("resources/worker/quadric_worker.py"),
                            m_scripts.filePath("quadric_worker.py")));
    }

    void theScriptSaysItsFactorsAndItsSpeed()
    {
        m_window->openFile(m_scripts.filePath("train gpt.py"));
        QTRY_VERIFY(wizard() && wizard()->isVisible());
        QVERIFY(click(*wizard(), "wizardNext"));
        const study::Study& made = wizard()->study();
        QCOMPARE(made.factors.size(), std::size_t(2));
        QCOMPARE(made.factors[0].name, std::string("micro_batch"));
        QCOMPARE(made.factors[1].name, std::string("sequence"));
        QCOMPARE(made.responses.size(), std::size_t(1));
        QCOMPARE(made.responses[0].name, std::string("tokens_per_sec"));
        QCOMPARE(made.benchmark.argv,
                 (std::vector<std::string>{"python3", "quadric_worker.py", "train gpt.py"}));
    }

    void ranksAndEfficiencyAreAdded()
    {
        using F = widgets::FactorTableModel;
        QVERIFY(click(*wizard(), "addFactor"));
        for (const auto& [column, text] :
             {std::pair{F::Name, "gpus"}, {F::Type, "integer"}, {F::Low, "1"}, {F::High, "2"}})
            type("factorTable", 2, column, text);
        type("fixedTable", 0, 0, "min_seconds");
        type("fixedTable", 0, 1, "0.2");
        type("fixedTable", 1, 0, "warmup_seconds"); // a busy machine never settles
        type("fixedTable", 1, 1, "0.2");
        test::keepPicture(*wizard(), "train-1-factors");
        QVERIFY(click(*wizard(), "wizardNext"));
        QVERIFY(addOffered("Scaling efficiency"));
        test::keepPicture(*wizard(), "train-2-responses");
        QVERIFY(click(*wizard(), "wizardNext"));
        test::keepPicture(*wizard(), "train-3-design");
        QVERIFY(click(*wizard(), "wizardNext"));
        QCOMPARE(wizard()->step(), WizardStep::Measurement);
        QTRY_VERIFY2_WITH_TIMEOUT(
            wizard()->problems().isEmpty(), // the design for two values of gpus is searched
            qPrintable(wizard()->problems().join("; ")), kPatienceMs);
        const QString help = wizard()->findChild<QLabel*>("commandHelp")->text();
        QVERIFY2(help.contains("quadric.setting(") && !help.contains("{factor}"), qPrintable(help));
        test::keepPicture(*wizard(), "train-4-command");
    }

    void oneRunIsTried()
    {
        QVERIFY(click(*wizard(), "testCommand"));
        approveIfAsked();
        QDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = m_window->findChild<QDialog*>("trialDialog")));
        auto* state = dialog->findChild<QLabel*>("trialState");
        QTRY_VERIFY2_WITH_TIMEOUT(state->text().startsWith("✓"), qPrintable(state->text()), kPatienceMs);
        test::keepPicture(*dialog, "train-5-tried");
        QVERIFY(click(*dialog, "closeTrial"));
        QVERIFY(click(*wizard(), "wizardFinish"));
        QTRY_VERIFY(m_window->session().editor().isOpen() && !wizard());
    }

    void runsAreMeasured()
    {
        QVERIFY(click(*m_window, "stepRun"));
        QVERIFY(click(*m_window, "startRuns"));
        approveIfAsked();
        QVERIFY2(m_clicks <= kMostTrainingClicks, qPrintable(QString("%1 clicks").arg(m_clicks)));
        const auto hasCurve = [this] {
            const auto charts = m_window->findChildren<widgets::LiveChart*>();
            return std::ranges::any_of(charts, [](const auto* chart) {
                return chart->isVisible() && chart->table().rows.size() > 1;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasCurve(), kExperimentMs);
        test::keepPicture(*m_window, "train-6-running");
        QTRY_VERIFY_WITH_TIMEOUT(study::countRuns(study(), study::RunStatus::Pending) == 0 &&
                                     !m_window->session().editor().context()->isRunning,
                                 kExperimentMs);
        test::keepPicture(*m_window, "train-7-done");
        for (const study::Run& run : study().runs) {
            QVERIFY2(run.status == study::RunStatus::Done, run.failure ? run.failure->message.c_str() : "");
            QVERIFY(run.results.at("tokens_per_sec") > 0.0 && run.spread.at("tokens_per_sec") > 0.0);
            QVERIFY(run.results.at("scaling_efficiency") > 0.0);
        }
    }

    void modelsHaveIntervals()
    {
        QVERIFY(click(*m_window, "stepExplore"));
        test::keepPicture(*m_window, "train-8-explore");
        for (const model::Fit& fit : m_window->session().editor().context()->fits) {
            QVERIFY2(fit.isOk(), fit.message.c_str());
            QVERIFY(model::predict(fit, study::Coding(fit.factors).center()).confidence.has_value());
        }
        QVERIFY(click(*m_window, "stepOptimize"));
        test::keepPicture(*m_window, "train-9-optimize");
    }

    void theReportIsSaved()
    {
        auto* report = m_window->findChild<widgets::ReportPage*>();
        QSignalSpy pagesSet(report, &widgets::ReportPage::pagesSet);
        QVERIFY(click(*m_window, "stepReport"));
        QTRY_VERIFY_WITH_TIMEOUT(!pagesSet.isEmpty(), kPatienceMs);
        test::keepPicture(*m_window, "train-10-report");
        const QString path = m_home.path() + "/report.pdf";
        QCOMPARE(report->exportTo(path), QString());
        QVERIFY(QFileInfo(path).size() > 20'000);
        m_window->resize(1000, 640); // where it went is seen in small windows, too
        const auto* message = m_window->findChild<QLabel*>("exportMessage");
        QVERIFY(message->text().contains("report.pdf"));
        QTRY_COMPARE(message->visibleRegion().boundingRect().size(), message->size());
    }

    void cleanupTestCase() { m_window.reset(); }

private:
    widgets::StudyWizard* wizard() { return m_window->findChild<widgets::StudyWizard*>(); }
    void type(const char* table, int row, int column, const char* text)
    {
        auto* model = wizard()->findChild<QTableView*>(QLatin1String(table))->model();
        QVERIFY2(model->setData(model->index(row, column), QString(text), Qt::EditRole), text);
    }

    /// The response that *Add computed response* offers under these words.
    bool addOffered(const QString& words)
    {
        auto* menu = wizard()->findChild<QPushButton*>("offeredResponses")->menu();
        emit menu->aboutToShow();
        const QList<QAction*> offers = menu->actions();
        const auto offer = std::ranges::find(offers, words, &QAction::text);
        if (offer == offers.end())
            return false;
        m_clicks += 2;
        (*offer)->trigger();
        return true;
    }
};

QUADRIC_QT_TEST(TrainingScriptJourneyTest)
#include "training_script_journey_test.moc"
