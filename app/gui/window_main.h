// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/theme.h"

#include <QByteArray>
#include <QStringList>

class QSettings;

namespace quadric::app {

/// What the program remembers about its user between two starts.
struct Settings {
    widgets::ThemeChoice theme = widgets::ThemeChoice::System;
    QStringList recentStudies; ///< absolute paths, latest first
    QByteArray windowGeometry;

    bool operator==(const Settings&) const = default;
};

Settings loadSettings(const QSettings& store);
void saveSettings(const Settings& settings, QSettings& store);

/// The settings with this study as the latest one; at most twelve are kept.
Settings withRecentStudy(Settings settings, const QString& path);

/// The settings without this study among the recent ones.
Settings withoutRecentStudy(Settings settings, const QString& path);

/// Makes icons, help and examples known. Resources of a static library are only there once somebody asks for
/// them.
void loadResources();

/// Opens the window, with the study that the argument beside Qt's own names, and returns the exit status when
/// the window is closed; 2, with a message, for arguments that the window does not know. Running experiments
/// go on.
int runWindow(int argc, char** argv);

} // namespace quadric::app
