// SPDX-License-Identifier: GPL-3.0-or-later

// A chemist makes a study in the real window: two numbers, a catalyst of three names, and a yield that is
// typed. With QUADRIC_SHOTS=FOLDER every page leaves a picture there, in three sizes.

#include "app/gui/main_window.h"
#include "core/optimize/merit/optimum.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/style.h"
#include "widgets/explore/explore_page.h"
#include "widgets/wizard/forms/choice_cards.h"
#include "widgets/wizard/sheets/factor_table_model.h"
#include "widgets/wizard/study_wizard.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>
#include <set>

using namespace quadric;
using widgets::StudyWizard;
using widgets::WizardStep;

class ChemistryJourneyTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::startAfresh(m_folder);
        m_store = test::settingsIn(m_folder);
    }

    void init()
    {
        m_window = std::make_unique<app::MainWindow>(*m_store);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatienceMs));
        QTest::mouseClick(m_window->findChild<QAbstractButton*>(QStringLiteral("newStudy")), Qt::LeftButton);
        QTRY_VERIFY(wizard() && wizard()->isVisible());
        wizard()->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), static_cast<QWidget*>(wizard()));
    }

    void aStudyIsTyped()
    {
        startBlank("template-enter-results");
        pictures("factors-blank");
        for (const auto& [name, unit, low, high] :
             {std::tuple{"temperature", "K", "333", "393"}, {"time", "min", "10", "30"}}) {
            type(QLatin1String(name), Qt::Key_Tab);
            type(QLatin1String(unit), Qt::Key_Tab);
            type({}, Qt::Key_Tab); // the type: continuous
            type(QLatin1String(low), Qt::Key_Tab);
            type(QLatin1String(high), Qt::Key_Tab);
            for (int cell = 0; cell < 2; ++cell)
                type({}, Qt::Key_Tab); // scale and levels
        }
        type(QStringLiteral("catalyst"), Qt::Key_Return);
        auto* factors = qobject_cast<QTableView*>(wizard()->focusWidget());
        factors->setCurrentIndex(factors->model()->index(2, widgets::FactorTableModel::Levels));
        type(QStringLiteral("Pd, Pt, Ni"), Qt::Key_Return);
        pictures("factors");
        QCOMPARE(wizard()->study().factors.size(), size_t(3));
        QCOMPARE(wizard()->study().factors[0],
                 (study::Factor{.name = "temperature", .unit = "K", .low = 333.0, .high = 393.0}));
        QCOMPARE(wizard()->study().factors[2].categories, (std::vector<std::string>{"Pd", "Pt", "Ni"}));

        QTest::keyClick(factors, Qt::Key_Return); // on the empty row: goes on
        QCOMPARE(wizard()->step(), WizardStep::Responses);
        type(QStringLiteral("yield"), Qt::Key_Tab);
        type(QStringLiteral("%"), Qt::Key_Return);
        pictures("responses");
        QCOMPARE(wizard()->study().responses[0].name, std::string("yield"));
        QCOMPARE(wizard()->study().responses[0].unit, std::string("%"));

        chooseRecommendedDesign();
        pictures("design");
        wizard()->setStep(WizardStep::Measurement);
        QCOMPARE(wizard()->findChild<QComboBox*>(QStringLiteral("measurementWay"))->currentText(),
                 QStringLiteral("Results typed by hand"));
        pictures("measurement");
        wizard()->setStep(WizardStep::Summary);
        QTRY_VERIFY(wizard()
                        ->findChild<QLabel*>(QStringLiteral("summarySentence"))
                        ->text()
                        .contains(QStringLiteral("to maximize yield")));
        const auto summary = [this] {
            QStringList texts;
            for (const QLabel* label : wizard()->findChildren<QLabel*>())
                texts << (label->isVisible() ? label->text() : QString());
            return texts.join(QLatin1Char('\n'));
        };
        QTRY_VERIFY2(summary().contains(QStringLiteral("Lowest power")), qPrintable(summary()));
        QVERIFY2(summary().contains(QStringLiteral("Suzuki coupling.quadric")), qPrintable(summary()));
        pictures("summary");
        QTest::keyClick(wizard()->focusWidget(), Qt::Key_Return);
        QTRY_VERIFY(m_window->session().editor().isOpen());
        QCOMPARE(created().name, std::string("Suzuki coupling"));
        QCOMPARE(created().benchmark.workload, std::string("none"));
        QVERIFY(created().fixed.empty());
        QVERIFY(!created().runs.empty());
        std::set<std::string> catalysts;
        for (const study::Run& run : created().runs) {
            catalysts.insert(study::toText(run.settings.at("catalyst")));
            QVERIFY(study::numberOf(run.settings.at("temperature")) >= 333.0);
        }
        QCOMPARE(catalysts, (std::set<std::string>{"Ni", "Pd", "Pt"}));
        enterResults();
    }

    /// The same from a spreadsheet, with a mistake that stays in sight until it is mended.
    void aStudyIsPasted()
    {
        startBlank("template-blank");
        QGuiApplication::clipboard()->setText(
            QStringLiteral("temperature\tK\t333\t393\ntime\tmin\t1O\t30\ncatalyst\tPd\tPt\tNi\n"));
        auto* factors = qobject_cast<QTableView*>(wizard()->focusWidget());
        QTest::keyClick(factors, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(wizard()->study().factors.size(), size_t(3));
        auto* problem = wizard()->findChild<QLabel*>(QStringLiteral("wizardProblem"));
        pictures("factors-wrong");
        QVERIFY2(problem->isVisible() && problem->text().contains(QStringLiteral("“1O”")),
                 qPrintable(problem->text()));
        factors->setCurrentIndex(factors->model()->index(1, widgets::FactorTableModel::Low));
        type(QStringLiteral("10"), Qt::Key_Tab);
        QTRY_COMPARE(problem->text().count(QStringLiteral("✗")), 0);
        QCOMPARE(wizard()->study().factors[1].low, 10.0);
        QCOMPARE(wizard()->study().factors[1].high, 30.0);
    }

    /// F1 and the button open the page's help, which can be read and closed while the wizard waits.
    void helpStandsBesideTheWizard()
    {
        for (int step = 0; step < 6; ++step) {
            wizard()->setStep(WizardStep(step));
            if (step == 0)
                QTest::keyClick(wizard(), Qt::Key_F1);
            else
                QTest::mouseClick(wizard()->findChild<QAbstractButton*>(QStringLiteral("wizardHelp")),
                                  Qt::LeftButton);
            auto* help = wizard()->findChild<QDialog*>(QStringLiteral("help"));
            QVERIFY(help && help->isVisible());
            help->close();
            QTRY_VERIFY(!wizard()->findChild<QDialog*>(QStringLiteral("help")));
        }
        wizard()->reject();
        QTRY_VERIFY(!wizard());
    }

    void cleanup() { m_window.reset(); }

private:
    StudyWizard* wizard() { return m_window->findChild<StudyWizard*>(); }
    const study::Study& created() { return m_window->session().editor().context()->study; }

    void pictures(const char* name)
    {
        if (qEnvironmentVariable("QUADRIC_SHOTS").isEmpty())
            return;
        const QSize usual = wizard()->size();
        for (const QSize size : {QSize(1008, 652), QSize(1224, 765), QSize(1680, 1080)}) {
            wizard()->resize(size);
            test::keepPicture(*wizard(),
                              qPrintable(QStringLiteral("%1-%2").arg(QLatin1String(name)).arg(size.width())));
        }
        wizard()->resize(usual);
    }

    /// The name has the focus from the beginning.
    void startBlank(const char* card)
    {
        auto* name = qobject_cast<QLineEdit*>(wizard()->focusWidget());
        QVERIFY(name);
        QTest::keyClicks(name, QStringLiteral("Suzuki coupling"));
        pictures("question");
        QTest::mouseClick(wizard()->findChild<QWidget*>(QLatin1String(card)), Qt::LeftButton);
        QCOMPARE(wizard()->study().name, std::string("Suzuki coupling"));
        name->setFocus();
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(wizard()->step(), WizardStep::Factors);
    }

    /// Into the present cell of the table that has the focus, as a user does: without opening it first.
    void type(const QString& text, Qt::Key end)
    {
        auto* table = qobject_cast<QTableView*>(wizard()->focusWidget());
        QVERIFY(table);
        for (const QChar& letter : text) {
            QWidget* open = wizard()->focusWidget();
            QTest::keyClick(open == table ? table->viewport() : open, letter.toLatin1());
        }
        QTest::keyClick(text.isEmpty() ? table : wizard()->focusWidget(), end);
        QTRY_COMPARE(wizard()->focusWidget(), static_cast<QWidget*>(table));
    }

    void chooseRecommendedDesign()
    {
        wizard()->setStep(WizardStep::Design);
        auto* cards = wizard()->findChild<widgets::OfferCards*>();
        QTRY_VERIFY(!cards->isBusy() && !cards->offers().empty());
        const auto offers = cards->offers();
        const auto best = std::ranges::find(offers, true, &design::DesignOffer::isRecommended);
        QVERIFY(best != offers.end());
        auto* card = cards->findChild<QAbstractButton*>(QStringLiteral("design-") +
                                                        QString::fromStdString(best->spec.type));
        QVERIFY(card && card->isEnabled());
        card->click();
        QTRY_VERIFY2(wizard()->problems().isEmpty(), qPrintable(wizard()->problems().join(QLatin1Char(' '))));
    }

    void enterResults();

    QTemporaryDir m_folder;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<app::MainWindow> m_window;
};

/// One yield after the other in run order, as they are measured; then what they say.
void ChemistryJourneyTest::enterResults()
{
    QTRY_VERIFY(!wizard());
    m_window->activateWindow(); // which a window manager does when the wizard has gone
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatienceMs));
    m_window->showStep(widgets::Step::Run);
    auto* next = m_window->findChild<QPushButton*>(QStringLiteral("entryNext"));
    QVERIFY(next && next->isVisible());
    QTest::mouseClick(next, Qt::LeftButton);
    QTRY_VERIFY(QApplication::focusWidget());
    const auto truth = [](const study::Settings& settings) { // Pd is best, and hot
        const double catalyst = study::toText(settings.at("catalyst")) == "Pd" ? 20.0 : 0.0;
        return 40.0 + catalyst + 0.2 * (study::numberOf(settings.at("temperature")) - 363.0) +
               0.1 * study::numberOf(settings.at("time"));
    };
    const study::Study plan = created();
    std::map<int, double> typed;
    int place = 0;
    for (const study::Run* run : study::inRunOrder(plan)) {
        typed[run->id] = std::round(10.0 * truth(run->settings) + place % 3 - 1) / 10.0;
        ++place;
    }
    for (const study::Run* run : study::inRunOrder(plan)) {
        for (const QChar key : QString::number(typed.at(run->id), 'f', 1)) // the first one opens the cell
            QTest::keyClick(QApplication::focusWidget(), key.toLatin1());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    for (const study::Run& run : created().runs)
        QCOMPARE(run.results.at("yield"), typed.at(run.id));
    QTRY_COMPARE(next->text(), QStringLiteral("Explore results"));
    test::keepPicture(*m_window, "run-entered");
    QTest::mouseClick(next, Qt::LeftButton);
    QTRY_VERIFY(m_window->findChild<widgets::ExplorePage*>()->isVisible());
    const widgets::ContextPointer& analyzed = m_window->session().editor().analyzed();
    const optimize::Optimum best = optimize::findOptimum(analyzed->study, analyzed->fits);
    QCOMPARE(study::toText(best.settings.at("catalyst")), std::string("Pd"));
}

QUADRIC_QT_TEST(ChemistryJourneyTest)
#include "chemistry_journey_test.moc"
