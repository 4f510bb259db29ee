// SPDX-License-Identifier: GPL-3.0-or-later

// Ctrl+K in the real window finds whatever the window offers, and does it.

#include "app/gui/command_palette.h"
#include "app/gui/frame/rail.h"
#include "app/gui/frame/workspace.h"
#include "app/gui/main_window.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "widgets/gallery/gallery.h"
#include "widgets/plots/view_kind.h"

#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

using namespace quadric;
using app::CommandPalette;
using app::fuzzyScore;
using app::PaletteEntry;

class CommandPaletteTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::startAfresh(m_folder); }

    void init() { m_window = std::make_unique<test::ShownWindow>(m_folder); }

    void wordsAreFoundInTheirOrderOfWorth()
    {
        const QString text = QStringLiteral("Pareto chart of effects");
        const int whole = fuzzyScore(QStringLiteral("chart"), text);
        const int start = fuzzyScore(QStringLiteral("cha"), text);
        const int inside = fuzzyScore(QStringLiteral("art"), text);
        const int letters = fuzzyScore(QStringLiteral("crt"), text);
        QVERIFY(whole > start && start > inside && inside > letters && letters > 0);
        QVERIFY(fuzzyScore(QStringLiteral("effects pareto"), text) > 0); // in any order
        QCOMPARE(fuzzyScore(QStringLiteral("pareto cube"), text), 0);    // each word counts
        QVERIFY(fuzzyScore(QStringLiteral("BOX COX"), QStringLiteral("Box–Cox profile")) > 0);
        QVERIFY(fuzzyScore(QStringLiteral("cafe"), QString::fromUtf8("Café")) > 0);
        QVERIFY(fuzzyScore(QStringLiteral("save"), QStringLiteral("Save")) >
                fuzzyScore(QStringLiteral("save"), QStringLiteral("Save as…")));
        QVERIFY(fuzzyScore({}, text) > 0);
    }

    /// Each text of the menus, typed as it reads, is among the first.
    void findsEveryActionOfTheMenus()
    {
        openExample();
        int count = 0;
        for (const QMenu* menu : m_window->menuBar()->findChildren<QMenu*>()) {
            for (const QAction* action : menu->actions()) {
                if (action->isSeparator() || action->menu() || !action->isVisible())
                    continue;
                const QString title = action->text().remove(QLatin1Char('&'));
                QVERIFY2(isOnTop(title, title), qPrintable(title));
                ++count;
            }
        }
        QVERIFY(count > 25);
    }

    void findsEveryView()
    {
        openExample();
        for (const widgets::ViewKind& kind : widgets::viewKinds())
            QVERIFY2(isOnTop(kind.title, kind.title), qPrintable(kind.title));
        QVERIFY(widgets::viewKinds().size() > 30);
    }

    /// A view that has a place in the window has it on the screen and the focus in it.
    void goesToEveryView()
    {
        openExample();
        QStringList placeless;
        for (const widgets::ViewKind& kind : widgets::viewKinds()) {
            auto* palette = openWith(kind.title);
            for (const PaletteEntry* entry : palette->found()) {
                if (entry->title == kind.title && entry->where == app::stepName(app::stepOf(kind.page))) {
                    const auto run = entry->run;
                    palette->close();
                    QTRY_VERIFY(!m_window->findChild<CommandPalette*>());
                    toTheWindow();
                    run();
                    break;
                }
            }
            const QWidget* place = widgets::findShownView(*m_window, kind.id);
            if (place == nullptr || !place->isVisible())
                placeless << QString::fromStdString(kind.id);
            else if (kind.page == "explore" || kind.page == "optimize")
                QVERIFY2(place->isAncestorOf(m_window->focusWidget()) || place == m_window->focusWidget(),
                         kind.id.c_str());
        }
        // Those of a run are there while one is measured, a desirability where it is opened; the others are
        // pictures of reports.
        placeless.removeIf([](const QString& id) { return id.startsWith(QLatin1String("run-")); });
        QCOMPARE(placeless.join(QLatin1Char(' ')),
                 QStringLiteral("desirability best-surface overall-surface limits best-so-far"));
    }

    void findsEveryHelpPage()
    {
        int pages = 0;
        for (const QString& folder : {QStringLiteral(":/help"), QStringLiteral(":/help/methods")}) {
            QDirIterator files(folder, {QStringLiteral("*.md")});
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString heading =
                    QString::fromUtf8(file.readLine()).section(QLatin1Char(' '), 1).trimmed();
                QVERIFY2(isOnTop(heading, heading, 8), qPrintable(file.fileName()));
                ++pages;
            }
        }
        QVERIFY(pages > 20);
        openWith(QStringLiteral("optimize help"));
        QTest::keyClick(open()->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_VERIFY(m_window->findChild<QDialog*>("help"));
        QVERIFY(m_window->findChild<QDialog*>("help")->findChild<QTextBrowser*>()->toPlainText().startsWith(
            "Optimize"));
    }

    void findsFactorsAndResponses()
    {
        openExample();
        const study::Study study = m_window->session().editor().context()->study;
        openWith(QString::fromStdString(study.factors[1].name));
        QCOMPARE(open()->found().front()->where, QStringLiteral("Factor"));
        QTest::keyClick(open()->findChild<QLineEdit*>(), Qt::Key_Return);
        auto* table = qobject_cast<QTableView*>(m_window->focusWidget());
        QVERIFY(table);
        QVERIFY(table->model()
                    ->headerData(table->currentIndex().column(), Qt::Horizontal)
                    .toString()
                    .contains(QString::fromStdString(study.factors[1].name).left(4)));
        QTRY_VERIFY(!m_window->findChild<CommandPalette*>());
        for (const study::Response& response : study.responses)
            QCOMPARE(openWith(QString::fromStdString(response.name))->found().front()->where,
                     QStringLiteral("Response"));
    }

    void saysWhyAnActionCannotBeDone()
    {
        const auto found = openWith(QStringLiteral("save as"))->found();
        QVERIFY(!found.empty());
        const auto save = std::ranges::find(found, QStringLiteral("Save as…"), &PaletteEntry::title);
        QVERIFY(save != found.end());
        QCOMPARE((*save)->whyNot, QStringLiteral("needs an open study"));
        QTest::keyClick(open()->findChild<QLineEdit*>(), Qt::Key_Return); // does nothing that cannot be done
    }

    void doesWhatIsChosenByKeysAlone()
    {
        openExample();
        CommandPalette* palette = open();
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(palette->findChild<QLineEdit*>()));
        QTest::keyClicks(QApplication::focusWidget(), "prto");
        QTRY_VERIFY(!palette->found().empty());
        QVERIFY(palette->findChild<QLineEdit*>()->accessibleDescription().contains("Pareto"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
        palette->findChild<QLineEdit*>()->setText(QStringLiteral("solutions"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_VERIFY(!m_window->findChild<CommandPalette*>());
        QCOMPARE(widgets::viewShownBy(m_window->focusWidget()), std::string("solutions"));
    }

    void escapeClosesIt()
    {
        CommandPalette* palette = open();
        QVERIFY(palette);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!m_window->findChild<CommandPalette*>());
    }

    void f1ExplainsTheViewWithTheFocus()
    {
        openExample();
        for (const char* view : {"pareto", "profiler", "solutions", "next-runs", "power", "surface"}) {
            const widgets::ViewKind* kind = widgets::findView(widgets::viewKinds(), view);
            openWith(kind->title);
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
            QTRY_VERIFY(!m_window->findChild<CommandPalette*>());
            toTheWindow();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
            auto* about = m_window->findChild<QDialog*>("about");
            QVERIFY2(about, view);
            QCOMPARE(about->windowTitle(), kind->title);
            QTest::keyClick(about, Qt::Key_Escape);
            QTRY_VERIFY(!m_window->findChild<QDialog*>("about"));
        }
        toTheWindow();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(m_window->findChild<QDialog*>("help"));
    }

private:
    /// As a window manager does when a dialog has gone.
    void toTheWindow()
    {
        if (!m_window->isActiveWindow())
            m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatienceMs));
    }

    CommandPalette* open()
    {
        if (auto* present = m_window->findChild<CommandPalette*>())
            return present;
        toTheWindow();
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = m_window->findChild<CommandPalette*>();
        [palette] {
            QVERIFY(palette);
            QTRY_COMPARE(QApplication::focusWidget(),
                         static_cast<QWidget*>(palette->findChild<QLineEdit*>()));
        }();
        return palette;
    }

    CommandPalette* openWith(const QString& query)
    {
        CommandPalette* palette = open();
        if (palette != nullptr)
            palette->findChild<QLineEdit*>()->setText(query);
        return palette;
    }

    void openExample()
    {
        QTest::mouseClick(m_window->findChild<QWidget*>("example0"), Qt::LeftButton);
        QVERIFY(m_window->session().editor().isOpen());
    }

    bool isOnTop(const QString& query, const QString& title, std::size_t places = 3)
    {
        const auto found = openWith(query)->found();
        for (std::size_t i = 0; i < std::min(places, found.size()); ++i)
            if (found[i]->title == title)
                return true;
        return false;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<test::ShownWindow> m_window;
};

QUADRIC_QT_TEST(CommandPaletteTest)
#include "command_palette_test.moc"
