// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime_folder.h"

#include <QDir>
#include <QFile>

#include <pwd.h>
#include <unistd.h>

namespace quadric::app {

void nameRuntimeFolder()
{
    if (!qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        return;
    const passwd* user = ::getpwuid(::geteuid());
    const QString name = user ? QFile::decodeName(user->pw_name) : QString();
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(QDir::tempPath() + QStringLiteral("/runtime-") + name));
}

} // namespace quadric::app
