// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/field_note.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

QString asNoteLine(const run::RecipeProblem& problem)
{
    QString message = QString::fromStdString(problem.message);
    message[0] = message[0].toUpper();
    if (!message.endsWith(QLatin1Char('?')))
        message += QLatin1Char('.');
    return (problem.isError ? QStringLiteral("✗ ") : QStringLiteral("⚠ ")) + message;
}

} // namespace

FieldNote::FieldNote(const char* objectName, const QString& accessibleName, QWidget* parent)
    : QLabel(parent)
{
    nameWidget(this, objectName, accessibleName);
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    hide();
}

void FieldNote::showProblems(const std::vector<run::RecipeProblem>& problems, const QStringList& places)
{
    QStringList lines;
    bool hasError = false;
    for (const run::RecipeProblem& problem : problems) {
        const QString where = QString::fromStdString(problem.where);
        if (std::ranges::none_of(places, [&](const QString& place) { return where.startsWith(place); }))
            continue;
        lines << asNoteLine(problem);
        hasError = hasError || problem.isError;
    }
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, hasError ? plotColors(colors).error : plotColors(colors).mutedText);
    setPalette(colors);
    setText(lines.join(QLatin1Char('\n')));
    setVisible(!lines.isEmpty());
}

} // namespace quadric::widgets
