// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled into every program of Qt tests, which has windows where it links them.
#include "tests/support/qt_tests.h"

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#else
#include <QCoreApplication>
#endif

int main(int argc, char** argv)
{
#ifdef QT_WIDGETS_LIB
    using Application = QApplication;
#else
    using Application = QCoreApplication;
#endif
    return quadric::test::runTests(argc, argv,
                                   [](int& count, char** arguments) -> std::unique_ptr<QCoreApplication> {
                                       return std::make_unique<Application>(count, arguments);
                                   });
}
