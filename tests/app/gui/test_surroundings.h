// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/theme.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

namespace quadric::test {

/// The user's folder is `folder`, without settings; the theme is dark or of high contrast where QUADRIC_SHOTS
/// says "dark" or "contrast".
inline void startAfresh(const QTemporaryDir& folder)
{
    QVERIFY(folder.isValid());
    qputenv("HOME", folder.path().toLocal8Bit());
    qunsetenv("XDG_CONFIG_HOME");
    const QString shots = qEnvironmentVariable("QUADRIC_SHOTS");
    if (shots.contains(QStringLiteral("dark")))
        QApplication::setPalette(widgets::darkPalette()); // of the system, which high contrast follows
    widgets::applyTheme(*qApp, shots.contains(QStringLiteral("contrast")) ? widgets::ThemeChoice::HighContrast
                               : shots.contains(QStringLiteral("dark"))   ? widgets::ThemeChoice::Dark
                                                                          : widgets::ThemeChoice::Light);
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

} // namespace quadric::test
