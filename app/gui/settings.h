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

} // namespace quadric::app
