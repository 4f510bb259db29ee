// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_main.h"

#include "app/gui/frame/icons.h"
#include "app/gui/main_window.h"
#include "app/gui/resources.h"

#include <QApplication>
#include <QSettings>

#include <iostream>

namespace quadric::app {

namespace {

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
