// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/main_window.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace quadric::test {

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
        [this] { QVERIFY(QTest::qWaitForWindowActive(this)); }();
    }
};

} // namespace quadric::test
