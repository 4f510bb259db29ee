// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/gui/window_main.h"
#include "app/shell/lack_of_memory.h"
#include "app/shell/visible_output.h"

#include "runtime_folder.h"

#include <QString>
#include <QtGlobal>

#include <csignal>
#include <iostream>

namespace {

void printQtMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    std::cerr << qFormatLogMessage(type, context, message).toStdString() << '\n';
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
    quadric::app::nameRuntimeFolder();
    return output.finish(start(argc, argv));
}
