// SPDX-License-Identifier: GPL-3.0-or-later

// What assistive technology is told of the real window: every page, the wizard and the dialogs.

#include "accessible_tree.h"
#include "app/gui/exchange_actions.h"
#include "app/gui/frame/rail.h"
#include "app/gui/main_window.h"
#include "core/study/document/document.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"
#include "widgets/explore/explore_page.h"
#include "widgets/gallery/gallery.h"
#include "widgets/plots/profiler/profiler.h"
#include "widgets/plots/view_kind.h"
#include "widgets/wizard/study_wizard.h"

#include <QAbstractButton>
#include <QAction>
#include <QDialog>
#include <QFile>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace quadric;

class AccessibleTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::startAfresh(m_folder); }

    void init()
    {
        m_nameless.clear();
        m_window = std::make_unique<test::ShownWindow>(m_folder);
    }

    void everythingOnEveryPageHasAName()
    {
        expectNames(*m_window, QStringLiteral("start"));
        click("example0");
        for (int step = 0; step < app::kSteps; ++step) {
            m_window->showStep(static_cast<widgets::Step>(step));
            QTest::qWait(200); // background judgments
            expectNames(*m_window, app::stepName(static_cast<widgets::Step>(step)));
            for (auto* tabs : m_window->findChildren<QTabWidget*>()) {
                if (!tabs->isVisible())
                    continue;
                for (int i = 0; i < tabs->count(); ++i) {
                    tabs->setCurrentIndex(i);
                    QTest::qWait(20);
                    expectNames(*tabs, tabs->tabText(i));
                }
            }
        }
        openTyped();
        m_window->showStep(widgets::Step::Run);
        expectNames(*m_window, QStringLiteral("typed results"));
        m_nameless.removeDuplicates();
        expectNone();
    }

    /// Each view of Explore, one after the other.
    void everyViewHasARoleAndADescription()
    {
        click("example0");
        m_window->showStep(widgets::Step::Explore);
        for (const widgets::ViewKind& kind : widgets::viewKinds()) {
            if (kind.page != "explore")
                continue;
            auto* page = m_window->findChild<widgets::ExplorePage*>();
            page->showView(kind.id);
            const QWidget* shown = widgets::findShownView(*page, kind.id);
            QVERIFY2(shown && shown->isVisible(), kind.id.c_str());
            expectNames(*page, kind.title);
        }
        m_nameless.removeDuplicates();
        expectNone();
    }

    void everythingInTheWizardHasAName()
    {
        click("newStudy");
        auto* wizard = m_window->findChild<widgets::StudyWizard*>();
        QTRY_VERIFY(wizard && wizard->isVisible());
        for (const char* card : {"template-enter-results", "template-own-command", "template-this-machine"}) {
            wizard->setStep(widgets::WizardStep::Question);
            if (auto* chosen = wizard->findChild<QAbstractButton*>(QLatin1String(card)))
                chosen->click();
            for (int step = 0; step < 6; ++step) {
                wizard->setStep(static_cast<widgets::WizardStep>(step));
                QTest::qWait(200);
                expectNames(*wizard, QStringLiteral("%1, page %2").arg(QLatin1String(card)).arg(step + 1));
            }
        }
        m_nameless.removeDuplicates();
        expectNone();
    }

    void everythingInTheDialogsHasAName()
    {
        const auto expectInDialog = [&](const QString& where) {
            QDialog* dialog = nullptr;
            for (auto* each : m_window->findChildren<QDialog*>())
                dialog = each->isVisible() ? each : dialog;
            QVERIFY2(dialog, qPrintable(where));
            QTest::qWait(100);
            expectNames(*dialog, where);
            QTest::keyClick(dialog, Qt::Key_Escape);
            QTRY_VERIFY2(dialog == nullptr || !m_window->findChildren<QDialog*>().contains(dialog) ||
                             !dialog->isVisible(),
                         qPrintable(where));
        };
        m_window->findChild<QAction*>(QStringLiteral("showAbout"))->trigger();
        expectInDialog(QStringLiteral("about"));
        QFile table(m_folder.filePath(QStringLiteral("table.csv")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("a,b,y\n1,1,3\n2,1,4\n1,2,5\n2,2,6\n");
        table.close();
        m_window->findChild<app::Exchange*>()->importFile(table.fileName());
        expectInDialog(QStringLiteral("import"));
        click("example0");
        for (const char* button : {"augmentDesign", "compareDesign"}) {
            click(button);
            expectInDialog(QLatin1String(button));
        }
        m_window->findChild<app::Exchange*>()->showAudit();
        expectInDialog(QStringLiteral("claims"));
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatienceMs));
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        expectInDialog(QStringLiteral("palette"));
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatienceMs));
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        expectInDialog(QStringLiteral("help"));
        if (auto* warnings = m_window->findChild<QAbstractButton*>(QStringLiteral("statusWarnings"));
            warnings && warnings->isVisible()) {
            warnings->click();
            expectInDialog(QStringLiteral("warnings"));
        }
        expectNone();
    }

    /// A reader can move them, and hears what follows.
    void linesOfTheProfilerAreSliders()
    {
        click("example0");
        m_window->showStep(widgets::Step::Optimize);
        auto* profiler = m_window->findChild<widgets::Profiler*>();
        QVERIFY(profiler && profiler->isVisible());
        QAccessibleInterface* plot = QAccessible::queryAccessibleInterface(profiler);
        QCOMPARE(plot->role(), QAccessible::Graphic);
        const study::Study study = m_window->session().editor().context()->study;
        QCOMPARE(plot->childCount(), int(study.factors.size()));
        profiler->setFocus();
        QAccessibleInterface* line = plot->focusChild();
        QVERIFY(line && line->role() == QAccessible::Slider && line->state().focused);
        QCOMPARE(plot->indexOfChild(line), 0);
        QVERIFY(line->text(QAccessible::Name).contains(QString::fromStdString(study.factors[0].name)));
        QVERIFY(!line->text(QAccessible::Value).isEmpty());
        QVERIFY2(line->text(QAccessible::Description).contains(QStringLiteral("±")),
                 qPrintable(line->text(QAccessible::Description)));
        QAccessibleValueInterface* value = line->valueInterface();
        QVERIFY(value);
        QCOMPARE(value->minimumValue().toDouble(), study.factors[0].low);
        QCOMPARE(value->maximumValue().toDouble(), study.factors[0].high);
        const QString before = line->text(QAccessible::Description);
        value->setCurrentValue(value->minimumValue());
        QTRY_COMPARE(value->currentValue().toDouble(), study.factors[0].low);
        QVERIFY(line->text(QAccessible::Description) != before);
        QTest::keyClick(profiler, Qt::Key_Down);
        QCOMPARE(plot->indexOfChild(plot->focusChild()), 1);
    }

    void handlesOfADesirabilityAreSliders()
    {
        click("example0");
        m_window->showStep(widgets::Step::Optimize);
        auto* curve = m_window->findChild<widgets::DesirabilityCurve*>();
        QVERIFY(curve);
        QTRY_VERIFY(curve->isVisible());
        QAccessibleInterface* plot = QAccessible::queryAccessibleInterface(curve);
        QVERIFY(plot->childCount() >= 2);
        QAccessibleValueInterface* value = plot->child(0)->valueInterface();
        const double low = value->currentValue().toDouble();
        const double step = value->minimumStepSize().toDouble();
        QSignalSpy moved(curve, &widgets::DesirabilityCurve::limitsRequested);
        value->setCurrentValue(low + step);
        QCOMPARE(moved.size(), 1);
        QVERIFY(std::abs(moved[0][0].toDouble() - low - step) < 1e-9 * std::abs(step));
    }

private:
    void click(const char* name)
    {
        auto* widget = m_window->findChild<QWidget*>(QLatin1String(name));
        QVERIFY2(widget && widget->isVisible(), name);
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    void expectNames(QWidget& window, const QString& where)
    {
        for (const QString& line : test::findNameless(window))
            m_nameless << where + QStringLiteral(": ") + line;
    }
    void expectNone() const
    {
        for (const QString& line : m_nameless)
            qWarning("%s", qPrintable(line));
        QCOMPARE(m_nameless.size(), 0);
    }

    /// A study whose results are typed, with some still missing.
    void openTyped()
    {
        study::Study study =
            study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
        study.benchmark = {};
        study.benchmark.workload = "none";
        study.runs.back().status = study::RunStatus::Pending;
        study.runs.back().results.clear();
        const QString path = m_folder.filePath(QStringLiteral("typed.quadric"));
        study::saveStudy(study, path.toStdString());
        m_window->openStudy(path);
    }

    QTemporaryDir m_folder;
    std::unique_ptr<test::ShownWindow> m_window;
    QStringList m_nameless;
};

QUADRIC_QT_TEST(AccessibleTest)
#include "accessible_test.moc"
