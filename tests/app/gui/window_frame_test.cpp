// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"
#include "app/gui/start/start_page.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "tests/support/qt_tests.h"
#include "widgets/plots/panel/panel_plot.h"

#include "test_surroundings.h"
#include "tests/support/test_paths.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QTableView>
#include <QUrl>

using namespace quadric;
using app::MainWindow;

class WindowFrameTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::startAfresh(m_folder); }

    void init()
    {
        m_store.reset(); // writes what it knows
        QFile::remove(m_folder.filePath("settings.ini"));
        m_store = test::settingsIn(m_folder);
    }

    void theEditMenuWorksInWhateverHasTheFocus()
    {
        const auto window = shownWindow();
        click(*window, "example0");
        window->showStep(widgets::Step::Report);
        QLineEdit* title = nullptr;
        for (auto* edit : window->findChildren<QLineEdit*>())
            if (edit->isVisible() && !edit->isReadOnly() && !title)
                title = edit;
        QVERIFY(title);
        title->setFocus();
        QTest::keyClicks(title, "my title");
        choose(*window, "selectAll");
        QCOMPARE(title->selectedText(), QStringLiteral("my title"));
        choose(*window, "cut");
        QCOMPARE(title->text(), QString());
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("my title"));
        choose(*window, "paste");
        choose(*window, "paste");
        QCOMPARE(title->text(), QStringLiteral("my titlemy title"));
        window->showStep(widgets::Step::Design);
        auto* table = window->findChild<QTableView*>("runMatrix");
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 2));
        choose(*window, "copy");
        QVERIFY(QApplication::clipboard()->text() != QStringLiteral("my title"));
        QTest::keyClick(table, Qt::Key_A, Qt::ControlModifier);
        QVERIFY2(table->selectionModel()->selectedIndexes().size() > 15, "the key works as before");
        window->showStep(widgets::Step::Explore);
        widgets::PanelPlot* plot = nullptr;
        for (auto* each : window->findChildren<widgets::PanelPlot*>())
            plot = each->isVisible() ? each : plot;
        QVERIFY(plot);
        plot->setFocus();
        QVERIFY(!QApplication::clipboard()->mimeData()->hasImage());
        choose(*window, "copy");
        QVERIFY2(QApplication::clipboard()->mimeData()->hasImage(), "the picture of a plot");
    }

    void tellsTheExamplesApart()
    {
        const auto window = shownWindow();
        QStringList titles;
        std::vector<QImage> pictures;
        for (int i = 0; auto* card = window->findChild<app::StudyCard*>(QStringLiteral("example%1").arg(i));
             ++i) {
            pictures.push_back(card->grab().toImage().copy(0, 0, 150, card->height()));
            QVERIFY2(!titles.contains(card->text()), qPrintable(card->text()));
            titles << card->text();
            QVERIFY(!card->accessibleDescription().isEmpty());
        }
        QCOMPARE(titles.size(), 3);
        QVERIFY(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[0] != pictures[2]);
        click(*window, "example2");
        QVERIFY2(window->windowTitle() != QStringLiteral("ResNet-50 scaling, 15 runs"),
                 "the copy cannot be told from the one of the first example");
    }

    void saysThatAStudyIsRunning()
    {
        const QString path =
            copyOfExample(QStringLiteral("cpu-ranks.quadric"), QStringLiteral("running.quadric"));
        const auto window = shownWindow();
        window->openStudy(path);
        QTest::keyClick(window.get(), Qt::Key_W, Qt::ControlModifier);
        auto* card = window->findChild<app::StudyCard*>("recent0");
        auto* hint = window->findChild<QLabel*>("runsGoOn");
        QTRY_COMPARE(card->facts(), QStringLiteral("0 of 15 runs done"));
        QVERIFY(!hint->isVisible());
        QFile events(path + QStringLiteral("-events"));
        {
            const study::StudyLock runner(path.toStdString());
            QVERIFY(events.open(QIODevice::WriteOnly));
            events.write(R"({"event": "remaining", "seconds": 1200, "low": 900, "high": 1800})"
                         "\n");
            events.close();
            QTRY_COMPARE(card->facts(), QStringLiteral("running · 0 of 15 runs done"));
            QCOMPARE(card->about(), QStringLiteral("about 20 minutes left"));
            QVERIFY(hint->isVisible() && hint->text().contains("while Quadric is closed"));
        }
        QTRY_COMPARE(card->facts(), QStringLiteral("0 of 15 runs done"));
        QTRY_VERIFY(!hint->isVisible());
    }

    void removesAStudyFromTheList()
    {
        const auto window = shownWindow();
        const QString example = QStringLiteral("cpu-ranks.quadric");
        QStringList paths;
        for (const char* name : {"a.quadric", "b.quadric", "c.quadric"}) {
            paths << copyOfExample(example, QLatin1String(name));
            window->openStudy(paths.back());
            QTest::keyClick(window.get(), Qt::Key_W, Qt::ControlModifier);
        }
        QCOMPARE(app::loadSettings(*m_store).recentStudies.size(), 3);
        auto* first = window->findChild<app::StudyCard*>("recent0");
        first->setFocus();
        QTest::keyClick(first, Qt::Key_Delete);
        QCOMPARE(app::loadSettings(*m_store).recentStudies, QStringList({paths[1], paths[0]}));
        auto* next = qobject_cast<app::StudyCard*>(window->focusWidget());
        QVERIFY2(next && next->path() == paths[1], "the next one has the focus");
        emit next->customContextMenuRequested(QPoint(10, 10));
        auto* menu = next->findChild<QMenu*>("recentMenu");
        QVERIFY(menu && menu->isVisible());
        QTest::keyClick(menu, Qt::Key_R);
        QCOMPARE(app::loadSettings(*m_store).recentStudies, QStringList({paths[0]}));
        QVERIFY2(QFile::exists(paths[1]) && QFile::exists(paths[2]), "the files stay");
    }

    void saysWhatADroppedFileBecomes()
    {
        const auto window = shownWindow();
        const auto* overlay = window->findChild<QWidget*>("dropOverlay");
        const auto dragOver = [&](const QString& name) {
            QFile file(m_folder.filePath(name));
            file.open(QIODevice::WriteOnly);
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(file.fileName())});
            QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(window.get(), &enter);
            return enter.isAccepted() && enter.dropAction() != Qt::IgnoreAction;
        };
        QVERIFY(dragOver(QStringLiteral("mine.quadric")));
        QVERIFY(overlay->isVisible() && overlay->size() == window->size());
        QCOMPARE(overlay->accessibleDescription(), QStringLiteral("Drop to open mine.quadric"));
        QDragLeaveEvent leave;
        QApplication::sendEvent(window.get(), &leave);
        QVERIFY(!overlay->isVisible());
        QVERIFY(dragOver(QStringLiteral("table.csv")));
        QCOMPARE(overlay->accessibleDescription(), QStringLiteral("Drop to import table.csv"));
        QVERIFY2(!dragOver(QStringLiteral("photo.png")), "it cannot be dropped");
        QVERIFY(overlay->isVisible());
        QVERIFY(overlay->accessibleDescription().startsWith("photo.png is neither a study"));
        QVERIFY(dragOver(QStringLiteral("train.py")));
        QCOMPARE(overlay->accessibleDescription(), QStringLiteral("Drop to make a study that runs train.py"));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(m_folder.filePath("train.py"))});
        QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &drop);
        QVERIFY(!overlay->isVisible());
        auto* command = window->findChild<QLineEdit*>("command");
        QVERIFY2(command, "the wizard has opened");
        QCOMPARE(command->text(), QStringLiteral("python3 train.py"));
    }

private:
    std::unique_ptr<MainWindow> shownWindow()
    {
        auto window = std::make_unique<MainWindow>(*m_store);
        window->show();
        [&] { QVERIFY(QTest::qWaitForWindowActive(window.get(), kPatienceMs)); }();
        return window;
    }
    static void click(QWidget& window, const char* name)
    {
        auto* widget = window.findChild<QWidget*>(QLatin1String(name));
        QVERIFY2(widget && widget->isVisible(), name);
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    /// Opens the Edit menu as a user does, and chooses an action there.
    static void choose(MainWindow& window, const char* name)
    {
        auto* action = window.findChild<QAction*>(QLatin1String(name));
        QVERIFY2(action, name);
        auto* menu = qobject_cast<QMenu*>(action->associatedObjects().front());
        QVERIFY(menu);
        menu->popup(window.mapToGlobal(QPoint(40, 40)));
        QVERIFY2(action->isEnabled(), name);
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        QVERIFY(!menu->isVisible());
    }
    QString copyOfExample(const QString& example, const QString& name) const
    {
        const QString path = m_folder.filePath(name);
        study::saveStudy(
            study::loadStudy(sourcePath("resources/examples") + ("/" + example.toStdString())).study,
            path.toStdString());
        return path;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<QSettings> m_store;
};

QUADRIC_QT_TEST(WindowFrameTest)
#include "window_frame_test.moc"
