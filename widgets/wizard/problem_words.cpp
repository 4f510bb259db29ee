// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/wizard_page.h"

#include <QRegularExpression>

namespace quadric::widgets {

namespace {

QString nameAt(const study::Study& study, const QString& list, size_t row)
{
    if (list == QStringLiteral("factors") && row < study.factors.size())
        return QString::fromStdString(study.factors[row].name);
    if (list == QStringLiteral("responses") && row < study.responses.size())
        return QString::fromStdString(study.responses[row].name);
    return {};
}

} // namespace

QString problemWords(const study::Study& study, const study::Problem& problem)
{
    const QString message = QString::fromStdString(problem.message);
    const QString where = QString::fromStdString(problem.where);
    static const QRegularExpression row(QStringLiteral("^(\\w+)\\[(\\d+)\\](?:\\.(\\w+))?"));
    const auto match = row.match(where);
    if (!match.hasMatch())
        return QStringLiteral("%1: %2").arg(where, message);
    const auto index = match.captured(2).toULongLong();
    const QString name = nameAt(study, match.captured(1), index);
    const QString place = name.isEmpty() ? WizardPage::tr("Row %1").arg(index + 1) : name;
    const QString field = match.captured(3).replace(QLatin1Char('_'), QLatin1Char(' '));
    return field.isEmpty() ? QStringLiteral("%1: %2").arg(place, message)
                           : QStringLiteral("%1, %2: %3").arg(place, field, message);
}

} // namespace quadric::widgets
