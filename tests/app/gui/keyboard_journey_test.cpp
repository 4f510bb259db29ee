// SPDX-License-Identifier: GPL-3.0-or-later

// From the question to the exported report without a mouse: a chemist who types results, and an engineer with
// a script of her own. Whatever is used is first reached with Tab.

#include "app/gui/main_window.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"
#include "widgets/plots/profiler/profiler.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/plots/view_kind.h"
#include "widgets/wizard/study_wizard.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <functional>

using namespace quadric;

namespace {

constexpr int kMostTabs = 150;

/// Yield of a reactor over temperature and time.
constexpr const char* kTableScript =
    "awk -v t=\"$1\" -v m=\"$2\" 'BEGIN { y = 50 + 0.2 * (t - 350) - 0.003 * (t - 360) ^ 2 + 0.4 * m; "
    "print \"{\\\"yield\\\": \" y \"}\" }'\n";

/// A key as a hand gives it: to whatever has the focus.
void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
{
    QWidget* target = QApplication::focusWidget();
    QTest::keyClick(target ? target : QApplication::activeWindow(), key, modifiers);
    QCoreApplication::processEvents(); // an editor that is closed goes later
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

void type(const QString& text)
{
    for (const QChar letter : text)
        QTest::keyClick(QApplication::focusWidget(), letter.toLatin1());
}

bool isFocused(const QString& name)
{
    const QWidget* focus = QApplication::focusWidget();
    return focus && focus->objectName() == name;
}

bool isFocusedFrom(const char* start)
{
    const QWidget* focus = QApplication::focusWidget();
    return focus && focus->objectName().startsWith(QLatin1String(start));
}

/// To one of a group of cards in rows, between which the arrows go.
bool arrowTo(const QString& name)
{
    for (const Qt::Key key : {Qt::Key_Up, Qt::Key_Left})
        for (int i = 0; i < 12; ++i)
            press(key);
    for (int row = 0; row < 20 && !isFocused(name); ++row) {
        for (int i = 0; i < 4 && !isFocused(name); ++i)
            press(Qt::Key_Right);
        for (int i = 0; i < 4 && !isFocused(name); ++i)
            press(Qt::Key_Left);
        if (!isFocused(name))
            press(Qt::Key_Down);
    }
    return isFocused(name);
}

} // namespace

class KeyboardJourneyTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::startAfresh(m_folder);
        qputenv("XDG_CONFIG_HOME", (m_folder.path() + "/config").toUtf8());
        qputenv("QUADRIC_PROGRAM", builtPath("bin/quadric"));
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }

    void init() { m_window = std::make_unique<test::ShownWindow>(m_folder); }

    void aChemistTypesResults()
    {
        startBlank("template-enter-results", QStringLiteral("Key study"));
        fillFactorsAndResponses();
        chooseDesign();
        QVERIFY(tabTo("wizardFinish"));
        press(Qt::Key_Space);
        toTheWindow();
        press(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(tabTo("entryNext"));
        press(Qt::Key_Space);
        const study::Study plan = study();
        for (const study::Run* run : study::inRunOrder(plan)) {
            const double t = study::numberOf(run->settings.at("temperature"));
            const double m = study::numberOf(run->settings.at("time"));
            type(QString::number(50.0 + 0.2 * (t - 350.0) - 0.003 * (t - 360.0) * (t - 360.0) + 0.4 * m, 'f',
                                 1));
            press(Qt::Key_Return);
        }
        for (const study::Run& run : study().runs)
            QVERIFY(run.results.contains("yield"));
        explore();
        optimize();
        exportReport(m_folder.filePath("typed.pdf"));
    }

    void anEngineerRunsAScript()
    {
        const QString script = m_folder.filePath("reactor.sh");
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kTableScript) > 0);
        file.close();
        startBlank("template-own-command", QStringLiteral("Key script"));
        fillFactorsAndResponses();
        chooseDesign();
        QVERIFY(tabTo("wizardNext"));
        press(Qt::Key_Space);
        QCOMPARE(wizard()->step(), widgets::WizardStep::Measurement);
        QVERIFY(tabTo("command"));
        press(Qt::Key_A, Qt::ControlModifier);
        type(QStringLiteral("sh %1 {temperature} {time}").arg(script));
        QTRY_VERIFY2(wizard()->problems().isEmpty(), qPrintable(wizard()->problems().join(QLatin1Char(' '))));
        QVERIFY(tabTo("wizardFinish"));
        press(Qt::Key_Space);
        toTheWindow();
        press(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(tabTo("startRuns"));
        press(Qt::Key_Space);
        QTest::qWait(100);
        if (QWidget* question = QApplication::activeModalWidget()) {
            auto* approve = question->findChild<QAbstractButton*>("approve");
            QVERIFY(approve && tabTo("approve"));
            press(Qt::Key_Space);
        }
        QTRY_VERIFY_WITH_TIMEOUT(study::countRuns(study(), study::RunStatus::Pending) == 0 &&
                                     !m_window->session().editor().context()->isRunning,
                                 kExperimentMs);
        explore();
        press(Qt::Key_6, Qt::ControlModifier);
        exportReport(m_folder.filePath("script.pdf"));
    }

    /// On each page Tab comes back to where it began, and Shift+Tab goes the same way back.
    void noPageHoldsTheFocus()
    {
        m_window->findChild<QAbstractButton*>("example0")->click();
        for (int step = 0; step < 5; ++step) {
            press(static_cast<Qt::Key>(Qt::Key_1 + step), Qt::ControlModifier);
            QTest::qWait(100);
            m_window->findChild<QAbstractButton*>("stepDesign")->setFocus();
            int count = 0;
            do
                press(Qt::Key_Tab);
            while (++count < kMostTabs && !isFocused(QStringLiteral("stepDesign")));
            QVERIFY2(count > 3 && count < kMostTabs, qPrintable(QString::number(step)));
            press(Qt::Key_Backtab, Qt::ShiftModifier);
            QVERIFY(!isFocused(QStringLiteral("stepDesign")));
        }
    }

    /// Whatever takes the focus by Tab looks otherwise with it than without.
    void everyFocusIsSeen()
    {
        m_window->findChild<QAbstractButton*>("example0")->click();
        QStringList unseen;
        for (int step = 0; step < 5; ++step) {
            press(static_cast<Qt::Key>(Qt::Key_1 + step), Qt::ControlModifier);
            QTest::qWait(500);
            m_window->findChild<QAbstractButton*>("stepDesign")->setFocus(Qt::TabFocusReason);
            for (int i = 0; i < kMostTabs; ++i) {
                press(Qt::Key_Tab);
                QWidget* focus = QApplication::focusWidget();
                if (focus == nullptr || isFocused(QStringLiteral("stepDesign")))
                    break;
                const QImage with = focus->grab().toImage();
                focus->clearFocus();
                const QImage without = focus->grab().toImage();
                focus->setFocus(Qt::TabFocusReason);
                if (with == without)
                    unseen << QString::fromLatin1(focus->metaObject()->className()) + QLatin1Char('#') +
                                  focus->objectName();
            }
        }
        unseen.removeDuplicates();
        QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(QLatin1Char(' '))));
    }

private:
    widgets::StudyWizard* wizard() { return m_window->findChild<widgets::StudyWizard*>(); }
    const study::Study& study() { return m_window->session().editor().context()->study; }

    /// Presses Tab until it is there; false where Tab does not lead to it.
    bool tabTo(const QString& what, const std::function<bool()>& isThere)
    {
        QStringList way;
        for (int i = 0; i < kMostTabs; ++i) {
            if (isThere())
                return true;
            press(Qt::Key_Tab);
            const QWidget* focus = QApplication::focusWidget();
            way << (focus ? QString::fromLatin1(focus->metaObject()->className())
                                    .section(QLatin1String("::"), -1) +
                                QLatin1Char('#') + focus->objectName()
                          : QStringLiteral("nothing"));
        }
        qWarning("no way by Tab to %s: %s", qPrintable(what),
                 qPrintable(way.mid(0, 60).join(QLatin1Char(' '))));
        return false;
    }

    bool tabTo(const char* name)
    {
        return tabTo(QLatin1String(name), [name] { return isFocused(QLatin1String(name)); });
    }

    void startBlank(const char* card, const QString& name)
    {
        press(Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY(wizard() && wizard()->isVisible());
        wizard()->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), static_cast<QWidget*>(wizard()));
        QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
        press(Qt::Key_A, Qt::ControlModifier);
        type(name);
        QVERIFY(tabTo(QStringLiteral("the templates"), [] { return isFocusedFrom("template-"); }));
        QVERIFY(arrowTo(QLatin1String(card)));
        press(Qt::Key_Space);
        QVERIFY(tabTo("wizardNext"));
        press(Qt::Key_Space);
        QCOMPARE(wizard()->step(), widgets::WizardStep::Factors);
    }

    void fillFactorsAndResponses()
    {
        QVERIFY(tabTo("factorTable"));
        for (const auto& [name, unit, low, high] :
             {std::tuple{"temperature", "K", "333", "393"}, {"time", "min", "10", "30"}}) {
            type(QLatin1String(name));
            press(Qt::Key_Tab);
            type(QLatin1String(unit));
            press(Qt::Key_Tab);
            press(Qt::Key_Tab); // the type: continuous
            type(QLatin1String(low));
            press(Qt::Key_Tab);
            type(QLatin1String(high));
            for (int cell = 0; cell < 3; ++cell)
                press(Qt::Key_Tab);
        }
        QCOMPARE(wizard()->study().factors.size(), size_t(2));
        press(Qt::Key_Return); // on the empty row: goes on
        QCOMPARE(wizard()->step(), widgets::WizardStep::Responses);
        type(QStringLiteral("yield"));
        press(Qt::Key_Tab);
        type(QStringLiteral("%"));
        press(Qt::Key_Return);
        press(Qt::Key_Return);
    }

    void chooseDesign()
    {
        if (wizard()->step() != widgets::WizardStep::Design) {
            QVERIFY(tabTo("wizardNext"));
            press(Qt::Key_Space);
        }
        QTRY_COMPARE(wizard()->step(), widgets::WizardStep::Design);
        auto* card = wizard()->findChild<QAbstractButton*>("design-central-composite");
        QVERIFY(card);
        QTRY_VERIFY(card->isEnabled() && card->isVisible());
        QVERIFY(tabTo(QStringLiteral("the designs"), [] { return isFocusedFrom("design-"); }));
        QVERIFY(arrowTo(QStringLiteral("design-central-composite")));
        press(Qt::Key_Space);
        QTRY_VERIFY2(wizard()->problems().isEmpty() || wizard()->study().benchmark.workload == "command",
                     qPrintable(wizard()->problems().join(QLatin1Char(' '))));
    }

    /// A window manager does it when the wizard has gone.
    void toTheWindow()
    {
        QTRY_VERIFY(!wizard());
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatienceMs));
        QVERIFY(m_window->session().editor().isOpen());
    }

    void explore()
    {
        press(Qt::Key_3, Qt::ControlModifier);
        QVERIFY(
            tabTo(QStringLiteral("the chooser of views"), [] { return isFocused(QStringLiteral("view")); }));
        auto* chooser = qobject_cast<QComboBox*>(QApplication::focusWidget());
        const int before = chooser->currentIndex();
        press(Qt::Key_Down);
        QVERIFY(chooser->currentIndex() != before);
        const std::string large = chooser->currentData().toString().toStdString();
        QVERIFY(tabTo(QStringLiteral("the large view"),
                      [&large] { return widgets::viewShownBy(QApplication::focusWidget()) == large; }));
        QVERIFY(
            tabTo(QStringLiteral("the chooser of views"), [] { return isFocused(QStringLiteral("view")); }));
        press(Qt::Key_Up);
        QVERIFY(tabTo(QStringLiteral("the surface"), [] {
            return qobject_cast<widgets::SurfaceView*>(QApplication::focusWidget()) != nullptr;
        }));
        press(Qt::Key_Left); // turns it
    }

    void optimize()
    {
        press(Qt::Key_4, Qt::ControlModifier);
        auto* profiler = m_window->findChild<widgets::Profiler*>();
        QTRY_VERIFY(profiler->isVisible());
        QVERIFY(tabTo(QStringLiteral("a weight"), [] { return isFocusedFrom("weight:"); }));
        const double weight = study().responses[0].weight;
        press(Qt::Key_Right);
        QTRY_VERIFY(study().responses[0].weight > weight);
        QVERIFY(tabTo(QStringLiteral("the profiler"),
                      [profiler] { return QApplication::focusWidget() == profiler; }));
        const double value = profiler->handles()[0].value;
        press(Qt::Key_Left);
        QTRY_VERIFY(profiler->handles()[0].value < value);
        press(Qt::Key_L);
        QTRY_VERIFY(profiler->handles()[0].text.contains("locked"));
        press(Qt::Key_L);
        QTRY_VERIFY(!profiler->handles()[0].text.contains(QStringLiteral("locked")));
        QVERIFY(tabTo("map"));
        press(Qt::Key_Left); // moves the setting
        QVERIFY(tabTo("confirm"));
        const std::size_t runs = study().runs.size();
        press(Qt::Key_Space);
        QTRY_VERIFY(study().runs.size() > runs);
    }

    void exportReport(const QString& path)
    {
        press(Qt::Key_6, Qt::ControlModifier);
        QVERIFY(tabTo("exportReport"));
        bool isTyped = false;
        QTimer::singleShot(500, this, [&isTyped, path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr)
                return;
            press(Qt::Key_A, Qt::ControlModifier);
            type(path);
            press(Qt::Key_Return);
            isTyped = true;
        });
        press(Qt::Key_Space);
        QVERIFY(isTyped);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path).size() > 10'000, kPatienceMs);
        m_window->resize(1000, 640); // where it went is seen in small windows, too
        const auto* message = m_window->findChild<QLabel*>("exportMessage");
        QVERIFY(message->text().contains(QFileInfo(path).fileName()));
        QTRY_COMPARE(message->visibleRegion().boundingRect().size(), message->size());
    }

    QTemporaryDir m_folder;
    std::unique_ptr<test::ShownWindow> m_window;
};

QUADRIC_QT_TEST(KeyboardJourneyTest)
#include "keyboard_journey_test.moc"
