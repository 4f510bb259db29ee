// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/main_window.h"
#include "tests/support/patience.h"
#include "tests/support/test_paths.h"
#include "widgets/base/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <memory>

namespace quadric::test {

/// The user's folder, and that of the session, is `folder`, without settings; the theme is dark or of high
/// contrast where QUADRIC_SHOTS says "dark" or "contrast".
inline void startAfresh(const QTemporaryDir& folder)
{
    QVERIFY(folder.isValid());
    qputenv("HOME", folder.path().toLocal8Bit());
    qputenv("XDG_RUNTIME_DIR", folder.path().toLocal8Bit());
    qunsetenv("XDG_CONFIG_HOME");
    const QString shots = qEnvironmentVariable("QUADRIC_SHOTS");
    if (shots.contains(QStringLiteral("dark")))
        QApplication::setPalette(widgets::darkPalette()); // of the system, which high contrast follows
    widgets::applyTheme(*qApp, shots.contains(QStringLiteral("contrast")) ? widgets::ThemeChoice::HighContrast
                               : shots.contains(QStringLiteral("dark"))   ? widgets::ThemeChoice::Dark
                                                                          : widgets::ThemeChoice::Light);
}

/// The settings of a user who keeps them in `folder`.
inline std::unique_ptr<QSettings> settingsIn(const QTemporaryDir& folder)
{
    return std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
}

/// Pictures for people to look at, where QUADRIC_SHOTS names a folder.
inline void keepPicture(QWidget& widget, const char* name)
{
    const QString folder = qEnvironmentVariable("QUADRIC_SHOTS");
    if (folder.isEmpty())
        return;
    QTest::qWait(200);
    QVERIFY(widget.grab().save(QStringLiteral("%1/%2.png").arg(folder, QLatin1String(name))));
}

struct WindowSettings {
    QSettings store;
};

/// The active main window of a user whose settings are in `folder`.
class ShownWindow : private WindowSettings, public app::MainWindow {
public:
    explicit ShownWindow(const QTemporaryDir& folder)
        : WindowSettings{{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat}}
        , MainWindow(WindowSettings::store)
    {
        resize(1440, 900);
        show();
        [this] { QVERIFY(QTest::qWaitForWindowActive(this, kPatienceMs)); }();
    }
};

/// The first button in sight whose text starts with these words.
inline QAbstractButton* findButton(const QWidget& parent, const QString& firstWords)
{
    for (auto* button : parent.findChildren<QAbstractButton*>())
        if (button->isVisible() && QString(button->text()).remove(QLatin1Char('&')).startsWith(firstWords))
            return button;
    return nullptr;
}

/// From a question to its answer: clicks as a user's hand makes them, and how many there were.
class Journey : public QObject {
protected:
    /// The window of a user without settings.
    void openWindow()
    {
        startAfresh(m_home);
        qputenv("XDG_CONFIG_HOME", (m_home.path() + QStringLiteral("/config")).toUtf8());
        qputenv("QUADRIC_PROGRAM", builtPath("bin/quadric"));
        m_store = settingsIn(m_home);
        m_window = std::make_unique<app::MainWindow>(*m_store);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), kPatienceMs));
    }
    const study::Study& study() const { return m_window->session().editor().context()->study; }
    /// Whether the widget can be clicked; then it was.
    bool click(QWidget* widget)
    {
        if (!widget || !widget->isVisible() || !widget->isEnabled())
            return false;
        ++m_clicks;
        QTest::mouseClick(widget, Qt::LeftButton);
        return true;
    }
    bool click(QWidget& parent, const char* name)
    {
        return click(parent.findChild<QWidget*>(QLatin1String(name)));
    }
    void approveIfAsked()
    {
        QTest::qWait(50);
        for (QWidget* top : QApplication::topLevelWidgets())
            if (auto* approve = top->findChild<QPushButton*>("approve"); approve && approve->isVisible())
                click(approve);
    }

    QTemporaryDir m_home;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<app::MainWindow> m_window;
    int m_clicks = 0;
};

} // namespace quadric::test
