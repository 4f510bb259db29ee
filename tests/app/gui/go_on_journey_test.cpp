// SPDX-License-Identifier: GPL-3.0-or-later

// From 16 runs, six of which went out of memory, to confirmed best settings by one button. The runs are those
// of a real command and a real runner; the window is closed and opened again while they go on.

#include "app/gui/main_window.h"
#include "core/model/feasibility/feasibility.h"
#include "core/optimize/confirmation.h"
#include "core/optimize/merit/optimum.h"
#include "core/run/recipe/approval.h"
#include "core/study/document/document.h"
#include "core/study/run_records.h"
#include "core/study/study.h"

#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QFile>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>

using namespace quadric;

namespace {

constexpr double kMemory = 6000.0; ///< batch × layers that fit

/// Judges the machine itself: what else it computes here is not the subject, and would leave no verdict.
constexpr const char* kMemoryScript = R"(import argparse, json, sys, time
parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int)
parser.add_argument("--layers", type=int)
a = parser.parse_args()
time.sleep(0.2)
if a.batch * a.layers > 6000:
    sys.exit("CUDA out of memory")
speed = round(100.0 * a.batch / (a.batch + 90.0) + 0.5 * a.layers, 4)
print(json.dumps({"event": "result", "responses": {"speed": speed}, "provenance": {"disturbed": False}}))
)";

double speedOf(double batch, double layers)
{
    return 100.0 * batch / (batch + 90.0) + 0.5 * layers;
}

double bestSpeed()
{
    double best = 0.0;
    for (int batch = 16; batch <= 512; ++batch)
        for (int layers = 4; layers <= 48; ++layers)
            if (batch * layers <= kMemory)
                best = std::max(best, speedOf(batch, layers));
    return best;
}

study::Study sixteenRuns(const QString& script)
{
    study::Study study;
    study.name = "memory wall";
    study.factors = {{.name = "batch",
                      .type = study::FactorType::Integer,
                      .low = 16,
                      .high = 512,
                      .scale = study::Scale::Log2},
                     {.name = "layers", .type = study::FactorType::Integer, .low = 4, .high = 48}};
    study.responses = {{.name = "speed", .unit = "1/s", .goal = study::Goal::Maximize}};
    study.benchmark.workload = "command";
    study.benchmark.argv = {"python3", script.toStdString(), "--batch", "{batch}", "--layers", "{layers}"};
    std::vector<study::Settings> settings;
    for (const double batch : {16.0, 64.0, 180.0, 512.0})
        for (const double layers : {4.0, 18.0, 33.0, 48.0})
            settings.push_back({{"batch", batch}, {"layers", layers}});
    study = study::withRuns(study, settings, study::RunKind::Design);
    for (study::Run& run : study.runs) {
        const double batch = study::numberOf(run.settings.at("batch"));
        const double layers = study::numberOf(run.settings.at("layers"));
        run.provenance.seconds = 0.3;
        run.status = batch * layers > kMemory ? study::RunStatus::Failed : study::RunStatus::Done;
        if (run.status == study::RunStatus::Failed)
            run.failure = study::Failure{"out-of-memory", "CUDA out of memory"};
        else
            run.results["speed"] = speedOf(batch, layers);
    }
    return study;
}

} // namespace

class GoOnJourneyTest : public test::Journey {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        openWindow();
        QFile script(m_home.filePath("train.py"));
        QVERIFY(script.open(QIODevice::WriteOnly) && script.write(kMemoryScript) > 0);
    }

    void init()
    {
        m_path = m_home.filePath(QLatin1String(QTest::currentTestFunction()) + QStringLiteral(".quadric"));
        const study::Study study = sixteenRuns(m_home.filePath("train.py"));
        study::saveStudy(study, m_path.toStdString());
        run::ApprovalRequest(study, m_path.toStdString()).approve();
        openStudy();
        showNextRuns();
    }

    void oneButtonLeadsToConfirmedSettings()
    {
        QTRY_VERIFY(child<QTableView>("nextRuns")->model()->rowCount() > 0);
        child<QSpinBox>("nextRunsMinutes")->setValue(2);
        auto* go = child<QPushButton>("goOn");
        QCOMPARE(go->text(), QStringLiteral("&Go on by itself"));
        QTest::mouseClick(go, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(countAdded() >= 1, kExperimentMs);
        QCOMPARE(go->text(), QStringLiteral("&Stop"));
        QTRY_VERIFY_WITH_TIMEOUT(!isRunning(), kExperimentMs);
        QVERIFY(countAdded() >= 1);
        QCOMPARE(child<QTableView>("triedRuns")->model()->rowCount(),
                 static_cast<int>(study().runs.size()) - 16);
        const QString said = child<QWidget>("triedText")->property("text").toString();
        QVERIFY2(said.contains("Stop here") || said.contains("The time"), qPrintable(said));
        int failed = 0;
        double best = 0.0;
        std::vector<study::Run> confirming;
        for (const study::Run& run : study().runs) {
            if (run.kind == study::RunKind::Augment && study::isFailureOfSettings(run))
                ++failed;
            if (run.kind == study::RunKind::Confirmation && run.status == study::RunStatus::Done)
                confirming.push_back(run);
            if (run.results.contains("speed"))
                best = std::max(best, run.results.at("speed"));
        }
        QVERIFY2(failed <= 4, qPrintable(QString::number(failed)));
        QVERIFY2(best >= 0.97 * bestSpeed(),
                 qPrintable(QStringLiteral("%1 of %2").arg(best).arg(bestSpeed())));
        QCOMPARE(confirming.size(), std::size_t(3));
        QVERIFY(confirming.back().results.at("speed") >= 0.97 * bestSpeed());
        const widgets::ContextPointer& analyzed = m_window->session().editor().analyzed();
        const auto verdicts = optimize::confirmationVerdicts(analyzed->study, analyzed->fits);
        const optimize::Optimum recommended = optimize::findOptimum(analyzed->study, analyzed->fits);
        QCOMPARE(verdicts.back().settings, recommended.settings);
        const QString told = child<QWidget>("facts")->property("text").toString();
        QVERIFY2(told.contains("onfirmed"), qPrintable(told));
    }

    void itGoesOnWithoutTheWindowAndCanBeStopped()
    {
        QTest::mouseClick(child<QPushButton>("goOn"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(countAdded() >= 1, kExperimentMs);
        const int before = countAdded();
        m_window.reset();
        openStudy();
        showNextRuns();
        QTRY_VERIFY_WITH_TIMEOUT(countAdded() > before || !isRunning(), kExperimentMs);
        const auto* go = child<QPushButton>("goOn");
        QTRY_VERIFY(go->text() == QStringLiteral("&Stop") || !isRunning());
        if (isRunning())
            QTest::mouseClick(child<QPushButton>("goOn"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!isRunning(), kExperimentMs);
        QVERIFY(child<QTableView>("triedRuns")->model()->rowCount() >= before);
        const int ended = countAdded();
        QTest::qWait(500);
        QCOMPARE(countAdded(), ended);
    }

    void cleanup() { m_window.reset(); }

private:
    bool isRunning() { return m_window->session().editor().context()->isRunning; }
    int countAdded()
    {
        return static_cast<int>(std::ranges::count_if(
            study().runs, [](const study::Run& run) { return run.kind == study::RunKind::Augment; }));
    }
    void openStudy();
    void showNextRuns();
    template <typename Widget> Widget* child(const char* name)
    {
        return m_window->findChild<Widget*>(QLatin1String(name));
    }

    QString m_path;
};

void GoOnJourneyTest::openStudy()
{
    m_window = std::make_unique<app::MainWindow>(*m_store);
    m_window->resize(1440, 900);
    m_window->show();
    m_window->openStudy(m_path);
    QVERIFY(m_window->session().editor().isOpen());
}

void GoOnJourneyTest::showNextRuns()
{
    QTest::mouseClick(child<QWidget>("stepOptimize"), Qt::LeftButton);
    auto* table = child<QTableView>("nextRuns");
    QVERIFY(table);
    QWidget* page = table->parentWidget();
    for (auto* tabs : m_window->findChildren<QTabWidget*>())
        if (const int index = tabs->indexOf(page); index >= 0)
            tabs->setCurrentIndex(index);
    QTRY_VERIFY(table->isVisible());
}

QUADRIC_QT_TEST(GoOnJourneyTest)
#include "go_on_journey_test.moc"
