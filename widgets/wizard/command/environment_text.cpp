// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/environment_text.h"

#include <QStringList>

namespace quadric::widgets {

QString asLines(const Environment& environment)
{
    QStringList lines;
    for (const auto& [name, value] : environment)
        lines << QString::fromStdString(name) + QLatin1Char('=') + QString::fromStdString(value);
    return lines.join(QLatin1Char('\n'));
}

Environment asEnvironment(const QString& text)
{
    Environment environment;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        const qsizetype at = line.indexOf(QLatin1Char('='));
        const QString name = line.left(at).trimmed();
        if (at > 0 && !name.isEmpty())
            environment[name.toStdString()] = line.mid(at + 1).toStdString();
    }
    return environment;
}

} // namespace quadric::widgets
