// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/gui/window_main.h"
#include "app/shell/lack_of_memory.h"
#include "app/shell/visible_output.h"

#include <QDir>
#include <QFile>

#include <csignal>
#include <iostream>

#include <pwd.h>
#include <unistd.h>

namespace {

void printQtMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    std::cerr << qFormatLogMessage(type, context, message).toStdString() << '\n';
}

/// Where the session names no runtime folder (XDG_RUNTIME_DIR: a container, cron, a job of a cluster), names
/// the one that Qt takes in that case, so that Qt does not remark on it in every command. Qt still checks
/// that the folder belongs to the user alone. Called before the first thread starts.
void nameRuntimeFolder()
{
    if (!qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        return;
    const passwd* user = ::getpwuid(::geteuid());
    const QString name = user ? QFile::decodeName(user->pw_name) : QString();
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(QDir::tempPath() + QStringLiteral("/runtime-") + name));
}

int start(int argc, char** argv)
{
    if (quadric::app::isCommandLine(argc, argv))
        return quadric::app::runCommandLine(argc, argv);
    if (const std::string reason = quadric::app::whyNoWindow(argc, argv); !reason.empty()) {
        std::cerr << "quadric: " << reason << '\n';
        return 2;
    }
    return quadric::app::runWindow(argc, argv);
}

} // namespace

int main(int argc, char** argv)
{
    quadric::app::endWithoutMemory("quadric");
    std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is an error of the write, which is told
    quadric::app::VisibleOutput output("quadric");
    qInstallMessageHandler(printQtMessage);
    nameRuntimeFolder();
    return output.finish(start(argc, argv));
}
