// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/settings.h"

#include <QSettings>

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

} // namespace quadric::app
