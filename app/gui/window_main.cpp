// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_main.h"

#include "app/gui/frame/rail.h"
#include "app/gui/main_window.h"

#include <QApplication>
#include <QSettings>

#include <iostream>

/// The macro must stand outside of every namespace.
static void initialize()
{
    Q_INIT_RESOURCE(quadric);
}

namespace quadric::app {

namespace {

constexpr int kMostRecentStudies = 12;
constexpr auto kTheme = "theme";
constexpr auto kRecentStudies = "recentStudies";
constexpr auto kWindowGeometry = "windowGeometry";

QString nameOf(widgets::ThemeChoice theme)
{
    switch (theme) {
    case widgets::ThemeChoice::Light:
        return QStringLiteral("light");
    case widgets::ThemeChoice::Dark:
        return QStringLiteral("dark");
    case widgets::ThemeChoice::HighContrast:
        return QStringLiteral("high-contrast");
    case widgets::ThemeChoice::System:
        break;
    }
    return QStringLiteral("system");
}

widgets::ThemeChoice themeFrom(const QString& name)
{
    for (const auto theme :
         {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark, widgets::ThemeChoice::HighContrast})
        if (name == nameOf(theme))
            return theme;
    return widgets::ThemeChoice::System;
}

/// What the window cannot make of the arguments that Qt has left; empty: nothing.
QString whyWrong(const QStringList& studies)
{
    for (const QString& argument : studies)
        if (argument.startsWith(QLatin1Char('-')))
            return QStringLiteral("there is no option %1; quadric --help lists commands and options")
                .arg(argument);
    return studies.size() > 1 ? QStringLiteral("the window opens one file, found \"%1\" after \"%2\"")
                                    .arg(studies[1], studies[0])
                              : QString();
}

} // namespace

Settings loadSettings(const QSettings& store)
{
    Settings settings;
    settings.theme = themeFrom(store.value(kTheme).toString());
    settings.recentStudies = store.value(kRecentStudies).toStringList();
    settings.windowGeometry = store.value(kWindowGeometry).toByteArray();
    return settings;
}

void saveSettings(const Settings& settings, QSettings& store)
{
    store.setValue(kTheme, nameOf(settings.theme));
    store.setValue(kRecentStudies, settings.recentStudies);
    store.setValue(kWindowGeometry, settings.windowGeometry);
}

Settings withRecentStudy(Settings settings, const QString& path)
{
    settings.recentStudies.removeAll(path);
    settings.recentStudies.prepend(path);
    while (settings.recentStudies.size() > kMostRecentStudies)
        settings.recentStudies.removeLast();
    return settings;
}

Settings withoutRecentStudy(Settings settings, const QString& path)
{
    settings.recentStudies.removeAll(path);
    return settings;
}

void loadResources()
{
    initialize();
}

int runWindow(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList studies = QApplication::arguments().mid(1);
    if (const QString wrong = whyWrong(studies); !wrong.isEmpty()) {
        std::cerr << "quadric: " << wrong.toStdString() << '\n';
        return 2;
    }
    loadResources();
    QApplication::setApplicationName(QStringLiteral("quadric"));
    QApplication::setApplicationDisplayName(QStringLiteral("Quadric"));
    QApplication::setOrganizationName(QStringLiteral("quadric"));
    QApplication::setDesktopFileName(QStringLiteral("org.quadric.Quadric")); // resources/desktop
    QApplication::setApplicationVersion(QStringLiteral(QUADRIC_VERSION));
    QApplication::setWindowIcon(programIcon());

    QSettings store;
    widgets::applyTheme(application, loadSettings(store).theme);
    MainWindow window(store);
    window.show();
    if (!studies.isEmpty())
        window.openFile(studies.front());
    return QApplication::exec();
}

} // namespace quadric::app
