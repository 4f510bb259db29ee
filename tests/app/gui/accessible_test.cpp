// SPDX-License-Identifier: GPL-3.0-or-later

// What assistive technology is told of the real window, and what its keys are: every page, the wizard and the
// dialogs.

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
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QGroupBox>
#include <QLabel>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>
#include <map>
#include <set>

using namespace quadric;

namespace {

const std::set<QAccessible::Role> kControls = {
    QAccessible::Button,       QAccessible::CheckBox,   QAccessible::RadioButton, QAccessible::ComboBox,
    QAccessible::EditableText, QAccessible::Slider,     QAccessible::SpinBox,     QAccessible::Table,
    QAccessible::Tree,         QAccessible::List,       QAccessible::PageTab,     QAccessible::PageTabList,
    QAccessible::Link,         QAccessible::ButtonMenu, QAccessible::Dialog,      QAccessible::ProgressBar};

/// Whose parts speak for themselves: cells, and what a field is put together of.
const std::set<QAccessible::Role> kWholes = {
    QAccessible::Table,   QAccessible::Tree,      QAccessible::List,   QAccessible::ComboBox,
    QAccessible::SpinBox, QAccessible::ScrollBar, QAccessible::MenuBar};

QString placeOf(const QAccessibleInterface& element)
{
    QString place;
    for (const QObject* object = element.object(); object; object = object->parent()) {
        QString step =
            QString::fromLatin1(object->metaObject()->className()).section(QLatin1String("::"), -1);
        if (!object->objectName().isEmpty())
            step += QLatin1Char('#') + object->objectName();
        place.prepend(step + QLatin1Char('/'));
    }
    return place;
}

/// It passes its focus on to what it contains.
bool isContainer(const QAccessibleInterface& element)
{
    const auto* widget = qobject_cast<const QWidget*>(element.object());
    return widget != nullptr && widget->focusProxy() != nullptr;
}

/// It does not say what it is. An area that scrolls needs to say no more than its name.
bool isPlain(const QAccessibleInterface& element)
{
    return element.role() == QAccessible::Client && !isContainer(element) &&
           qobject_cast<const QAbstractScrollArea*>(element.object()) == nullptr;
}

bool isControl(const QAccessibleInterface& element)
{
    const QAccessible::Role role = element.role();
    if (role == QAccessible::Window || role == QAccessible::Pane || role == QAccessible::ScrollBar)
        return false;
    return kControls.contains(role) || (element.state().focusable && !isContainer(element));
}

/// Calls `visit` for each visible element below and including this one.
void walk(QAccessibleInterface* element, const std::function<void(QAccessibleInterface&)>& visit)
{
    if (element == nullptr || !element->isValid() || element->state().invisible)
        return;
    visit(*element);
    if (kWholes.contains(element->role()))
        return;
    for (int i = 0; i < element->childCount(); ++i)
        walk(element->child(i), visit);
}

/// What a person who cannot see the window is missing in it: a line for each visible control without a name
/// and each picture without a description, with its place in the tree.
QStringList findNameless(QWidget& window)
{
    QStringList nameless;
    walk(QAccessible::queryAccessibleInterface(&window), [&](QAccessibleInterface& element) {
        if (isControl(element) && element.text(QAccessible::Name).trimmed().isEmpty())
            nameless
                << QStringLiteral("no name: %1 (role %2)").arg(placeOf(element)).arg(int(element.role()));
        const bool isPicture = element.role() == QAccessible::Graphic;
        if (isPicture && element.text(QAccessible::Name).isEmpty())
            nameless << QStringLiteral("no name: %1").arg(placeOf(element));
        if (isPlain(element) && element.state().focusable)
            nameless << QStringLiteral("no role: %1").arg(placeOf(element));
        if (isPicture && element.state().focusable && element.text(QAccessible::Description).isEmpty())
            nameless << QStringLiteral("no description: %1").arg(placeOf(element));
    });
    return nameless;
}

/// "Alt+E: &Edit, &Export" for each letter that more than one of the texts claims.
QStringList findCollisions(const QStringList& texts)
{
    std::map<QString, QStringList> claims;
    for (const QString& text : texts)
        if (const QKeySequence mnemonic = QKeySequence::mnemonic(text); !mnemonic.isEmpty())
            claims[mnemonic.toString()] << text;
    QStringList collisions;
    for (const auto& [key, claimed] : claims)
        if (claimed.size() > 1)
            collisions << key + QStringLiteral(": ") + claimed.join(QStringLiteral(", "));
    return collisions;
}

/// Texts that take a mnemonic in the window as it is now.
QStringList mnemonicTexts(const QWidget& window)
{
    QStringList texts;
    for (const auto* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != &window)
            continue;
        if (const auto* bar = qobject_cast<const QMenuBar*>(widget))
            for (const QAction* action : bar->actions())
                texts << action->text();
        else if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
            for (int i = 0; i < tabs->count(); ++i)
                texts << tabs->tabText(i);
        else if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            texts << button->text();
        else if (const auto* group = qobject_cast<const QGroupBox*>(widget))
            texts << group->title();
        else if (const auto* label = qobject_cast<const QLabel*>(widget); label && label->buddy())
            texts << label->text();
    }
    return texts;
}

QStringList menuCollisions(const QMenu& menu)
{
    QStringList texts, collisions;
    for (const QAction* action : menu.actions()) {
        texts << action->text();
        if (action->menu())
            collisions << menuCollisions(*action->menu());
    }
    return collisions + findCollisions(texts);
}

} // namespace

class AccessibleTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::startAfresh(m_folder); }

    void init()
    {
        m_faults.clear();
        m_window = std::make_unique<test::ShownWindow>(m_folder);
    }

    void everythingOnEveryPageHasAName()
    {
        expectNames(*m_window, QStringLiteral("start"));
        for (const QAction* action : m_window->menuBar()->actions())
            m_faults << menuCollisions(*action->menu());
        click("example1");
        for (int step = 0; step < app::kSteps; ++step) {
            m_window->showStep(static_cast<widgets::Step>(step));
            QTest::qWait(50); // parts of a page come one after another
            m_faults << findCollisions(mnemonicTexts(*m_window));
        }
        QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier);
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
        expectNone();
    }

    void everythingInTheWizardHasAName()
    {
        click("newStudy");
        auto* wizard = m_window->findChild<widgets::StudyWizard*>();
        QTRY_VERIFY(wizard && wizard->isVisible());
        wizard->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), static_cast<QWidget*>(wizard));
        QTest::keyClick(wizard, Qt::Key_F1); // the page's help, which is read while the wizard waits
        auto* help = wizard->findChild<QDialog*>("help");
        QVERIFY(help && help->isVisible());
        help->close();
        QTRY_VERIFY(!wizard->findChild<QDialog*>("help"));
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
        m_window->findChild<QAction*>("showAbout")->trigger();
        expectInDialog(QStringLiteral("about"));
        QFile table(m_folder.filePath("table.csv"));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("a,b,y\n1,1,3\n2,1,4\n1,2,5\n2,2,6\n");
        table.close();
        m_window->findChild<app::Exchange*>()->importFile(table.fileName());
        expectInDialog(QStringLiteral("import"));
        click("example0");
        m_window->showStep(widgets::Step::Design);
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
        if (auto* warnings = m_window->findChild<QAbstractButton*>("statusWarnings");
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
        QVERIFY2(line->text(QAccessible::Description).contains(" to "),
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
        QTRY_VERIFY(m_window->findChild<QWidget*>(QStringLiteral("limits:images_per_sec"))->isVisible());
        click("limits:images_per_sec");
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
    /// Everything has a name, and no mnemonic is claimed twice.
    void expectNames(QWidget& window, const QString& where)
    {
        for (const QString& line : findNameless(window) + findCollisions(mnemonicTexts(window)))
            m_faults << where + QStringLiteral(": ") + line;
    }
    void expectNone()
    {
        m_faults.removeDuplicates();
        QVERIFY2(m_faults.isEmpty(), qPrintable(m_faults.join(QLatin1Char('\n'))));
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
        const QString path = m_folder.filePath("typed.quadric");
        study::saveStudy(study, path.toStdString());
        m_window->openStudy(path);
    }

    QTemporaryDir m_folder;
    std::unique_ptr<test::ShownWindow> m_window;
    QStringList m_faults;
};

QUADRIC_QT_TEST(AccessibleTest)
#include "accessible_test.moc"
