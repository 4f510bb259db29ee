// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/base/style.h"

#include <QTest>
#include <QWidget>

using namespace quadric;

class WindowSizeTest : public QObject {
    Q_OBJECT

private slots:
    void takesItsShareWithinLimits()
    {
        const auto onScreen = [](int width, int height) {
            return widgets::sizeOnScreen({width, height}, 0.85, {1040, 680}, {1680, 1080});
        };
        QCOMPARE(onScreen(1024, 700), QSize(1040, 680)); // resizeWithinScreen() takes it to the screen
        QCOMPARE(onScreen(1440, 900), QSize(1224, 765));
        QCOMPARE(onScreen(2560, 1440), QSize(1680, 1080));
    }

    void staysWithinTheScreen()
    {
        QWidget window;
        widgets::resizeWithinScreen(window, {100'000, 100'000});
        const QSize screen = window.screen()->availableSize();
        QVERIFY(window.width() < screen.width() && window.height() < screen.height());
    }
};

QUADRIC_QT_TEST(WindowSizeTest)
#include "window_size_test.moc"
