// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/consequences.h"

#include "widgets/base/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString words(const char* text)
{
    return QCoreApplication::translate("Consequences", text);
}

QString percent(double value)
{
    return QString::number(value, 'f', 1) + QStringLiteral(" %");
}

/// "D-efficiency from 46.0 % to 44.1 %"; empty where both read the same.
QString changeOf(const QString& name, const QString& before, const QString& after)
{
    return before == after ? QString() : words("%1 from %2 to %3").arg(name, before, after);
}

bool holds(const design::Evaluation& evaluation, const std::string& check)
{
    return std::ranges::any_of(evaluation.checks,
                               [&](const design::Check& each) { return each.ok && each.name == check; });
}

/// Names of the checks that `first` passes and `second` does not.
QStringList passedOnlyBy(const design::Evaluation& first, const design::Evaluation& second)
{
    QStringList names;
    for (const design::Check& check : first.checks)
        if (check.ok && !holds(second, check.name))
            names << QString::fromStdString(check.name);
    return names;
}

} // namespace

QString consequenceWords(const design::Evaluation& before, const design::Evaluation& after)
{
    QStringList changes = {
        changeOf(words("D-efficiency"), percent(before.dEfficiency), percent(after.dEfficiency)),
        changeOf(words("G-efficiency"), percent(before.gEfficiency), percent(after.gEfficiency)),
        changeOf(words("mean prediction variance"), formatNumber(before.iValue) + QStringLiteral(" σ²"),
                 formatNumber(after.iValue) + QStringLiteral(" σ²")),
        changeOf(words("coefficients of the model"), QString::number(before.dfModel),
                 QString::number(after.dfModel))};
    changes.removeAll(QString());
    QStringList sentences;
    if (!changes.isEmpty())
        sentences << changes.join(QStringLiteral(", ")) + QLatin1Char('.');
    const QStringList lost = passedOnlyBy(before, after);
    const QStringList won = passedOnlyBy(after, before);
    if (!lost.isEmpty())
        sentences << words("No longer: %1.").arg(lost.join(QStringLiteral(", ")));
    if (!won.isEmpty())
        sentences << words("Now: %1.").arg(won.join(QStringLiteral(", ")));
    return sentences.isEmpty() ? words("The quality of the design stays as it is.")
                               : sentences.join(QLatin1Char(' '));
}

} // namespace quadric::widgets
