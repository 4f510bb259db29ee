// SPDX-License-Identifier: GPL-3.0-or-later

// A user goes through the whole job in the real window with the real runner and trainer: start page, wizard,
// runs, exploration, weights, plan, report. With QUADRIC_SCREENSHOTS=FOLDER each step leaves a picture there;
// with QUADRIC_JOURNEY_SECONDS the time that each run may take (default 1).

#include "app/gui/main_window.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "widgets/report/report_page.h"
#include "widgets/wizard/study_wizard.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QSlider>
#include <QTabBar>
#include <QTest>

using quadric::kExperimentMs;
using quadric::kPatienceMs;
using quadric::app::MainWindow;
using quadric::study::RunStatus;

namespace {

constexpr int kRuns = 15;

template <typename Widget> Widget* findVisible(QWidget& parent, const QString& accessibleName)
{
    for (auto* widget : parent.findChildren<Widget*>())
        if (widget->isVisible() && widget->accessibleName() == accessibleName)
            return widget;
    return nullptr;
}

} // namespace

class UserJourneyTest : public quadric::test::Journey {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (const QByteArray seconds = qgetenv("QUADRIC_JOURNEY_SECONDS"); !seconds.isEmpty())
            m_seconds = seconds.toDouble();
        QApplication::setApplicationName("quadric");
        openWindow();
        m_window->resize(1280, 800);
    }

    void startPageOffersExamples()
    {
        QVERIFY(m_window->findChild<QWidget*>("example0")->isVisible());
        QVERIFY(m_window->findChild<QWidget*>("example1")->isVisible());
        picture(*m_window, "1-start");
    }

    void wizardLeadsToADesign()
    {
        QVERIFY(click(m_window->findChild<QAbstractButton*>("newStudy")));
        QTRY_VERIFY(wizard() && wizard()->isVisible());
        auto* name = wizard()->findChild<QLineEdit*>("studyName");
        name->selectAll();
        QTest::keyClicks(name, "My ranks");
        for (int page = 1; page <= 6; ++page) {
            QVERIFY2(wizard()->problems().isEmpty(), qPrintable(wizard()->problems().join("; ")));
            if (auto* seconds = wizard()->findChild<QDoubleSpinBox*>("knob-max_seconds"); page == 5) {
                QVERIFY(seconds && seconds->isVisible());
                seconds->setValue(m_seconds);
            }
            picture(*wizard(), QString("2-wizard-%1").arg(page));
            if (page < 6)
                QVERIFY(click(wizard()->findChild<QAbstractButton*>("wizardNext")));
        }
        QVERIFY(click(wizard()->findChild<QAbstractButton*>("wizardFinish")));
        QTRY_VERIFY(m_window->session().editor().isOpen());
        QCOMPARE(QString::fromStdString(study().name), QString("My ranks"));
        QCOMPARE(static_cast<int>(study().runs.size()), kRuns);
        QTRY_VERIFY(!wizard());
        picture(*m_window, "3-design");
    }

    void runsAreMeasured()
    {
        QVERIFY(step("Run"));
        picture(*m_window, "4-run-waiting");
        QVERIFY(click(quadric::test::findButton(*m_window, "Start")));
        QTRY_VERIFY_WITH_TIMEOUT(doneRuns() >= 4, kExperimentMs);
        picture(*m_window, "5-running");
        QTRY_COMPARE_WITH_TIMEOUT(doneRuns(), kRuns, kExperimentMs);
        // Disturbed runs are measured again.
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().editor().context()->isRunning, kExperimentMs);
        for (const auto& run : study().runs) {
            QCOMPARE(run.provenance.source, quadric::study::Source::Measured);
            QVERIFY(run.results.at("images_per_sec") > 0.0);
        }
        picture(*m_window, "6-run-done");
    }

    void exploreShowsTheModels()
    {
        QVERIFY(step("Explore"));
        for (const auto& fit : m_window->session().editor().context()->fits)
            QVERIFY2(fit.isOk(), fit.message.c_str());
        picture(*m_window, "7-explore");
    }

    void weightsMoveTheRecommendation()
    {
        QVERIFY(step("Optimize"));
        picture(*m_window, "8-optimize");
        QSlider* weight = nullptr;
        QTRY_VERIFY((weight = findVisible<QSlider>(*m_window, "Weight of images_per_sec")));
        const double before = study().responses.front().weight;
        weight->setSliderDown(true);
        for (const int value : {weight->maximum() / 2, weight->maximum() - 1, weight->maximum()})
            weight->setSliderPosition(value);
        weight->setSliderDown(false);
        QTRY_VERIFY(study().responses.front().weight > before);
        picture(*m_window, "9-optimize-weighted");
    }

    void undoTakesTheDragBack()
    {
        const double dragged = study().responses.front().weight;
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatienceMs));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(study().responses.front().weight < dragged);
        QCOMPARE(doneRuns(), kRuns);
    }

    void planAnswersItsQuestions()
    {
        QVERIFY(step("Plan"));
        auto* tabs = findVisible<QTabBar>(*m_window, "Questions");
        QVERIFY(tabs);
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            QTRY_VERIFY(!planSentence().isEmpty() && !planSentence().contains("simulating"));
            picture(*m_window, "9-plan-" + tabs->tabText(tab).toLower());
        }
    }

    void reportIsWritten()
    {
        auto* report = m_window->findChild<quadric::widgets::ReportPage*>();
        QSignalSpy pagesSet(report, &quadric::widgets::ReportPage::pagesSet);
        QVERIFY(step("Report"));
        QTRY_VERIFY_WITH_TIMEOUT(!pagesSet.isEmpty(), kPatienceMs);
        picture(*m_window, "10-report");
        const QString path = m_home.path() + "/report.pdf";
        QCOMPARE(report->exportTo(path), QString());
        QVERIFY(QFileInfo(path).size() > 20'000);
        QProcess text;
        text.start("pdftotext", {path, "-"});
        QVERIFY(text.waitForFinished(kPatienceMs));
        const QByteArray words = text.readAllStandardOutput();
        QVERIFY(words.contains("My ranks"));
        QVERIFY(!words.contains("SIMULATED"));
        if (const QString folder = qEnvironmentVariable("QUADRIC_SCREENSHOTS"); !folder.isEmpty())
            QVERIFY(QFile::copy(path, folder + "/report.pdf") || QFile::exists(folder + "/report.pdf"));
    }

    void reopeningShowsTheSameStudy()
    {
        const auto before = study();
        const QString path =
            QString::fromStdU16String(m_window->session().editor().context()->path.u16string());
        m_window->close();
        m_window = std::make_unique<MainWindow>(*m_store);
        m_window->show();
        m_window->openStudy(path);
        QVERIFY(m_window->session().editor().isOpen());
        QCOMPARE(study() == before, true);
    }

    void cleanupTestCase() { m_window.reset(); }

private:
    void picture(QWidget& widget, const QString& name)
    {
        const QString folder = qEnvironmentVariable("QUADRIC_SCREENSHOTS");
        if (folder.isEmpty())
            return;
        QVERIFY(QDir().mkpath(folder));
        QTest::qWait(300);
        QVERIFY(widget.grab().save(folder + '/' + name + ".png"));
    }

    bool step(const char* name)
    {
        return click(m_window->findChild<QAbstractButton*>(QLatin1String("step") + QLatin1String(name)));
    }

    QString planSentence() const
    {
        for (const auto* label : m_window->findChildren<QWidget*>("planSentence"))
            if (label->isVisible())
                return label->property("text").toString();
        return {};
    }

    int doneRuns() { return quadric::study::countRuns(study(), RunStatus::Done); }
    quadric::widgets::StudyWizard* wizard() { return m_window->findChild<quadric::widgets::StudyWizard*>(); }

    double m_seconds = 1.0;
};

QUADRIC_QT_TEST(UserJourneyTest)
#include "user_journey_test.moc"
