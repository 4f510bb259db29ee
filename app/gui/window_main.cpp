// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_main.h"

#include "app/gui/main_window.h"
#include "app/gui/resources.h"

#include <QApplication>
#include <QIcon>
#include <QSettings>

namespace quadric::app {

namespace {

QString studyArgument(const QStringList& arguments)
{
    for (const QString& argument : arguments.mid(1))
        if (!argument.startsWith(QLatin1Char('-')))
            return argument;
    return {};
}

} // namespace

int runWindow(int argc, char** argv)
{
    QApplication application(argc, argv);
    loadResources();
    QApplication::setApplicationName(QStringLiteral("quadric"));
    QApplication::setApplicationDisplayName(QStringLiteral("Quadric"));
    QApplication::setOrganizationName(QStringLiteral("quadric"));
    QApplication::setApplicationVersion(QStringLiteral(QUADRIC_VERSION));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/quadric.svg")));

    QSettings store;
    widgets::applyTheme(application, loadSettings(store).theme);
    MainWindow window(store);
    if (const QString path = studyArgument(QApplication::arguments()); !path.isEmpty())
        window.openStudy(path);
    window.show();
    return QApplication::exec();
}

} // namespace quadric::app
