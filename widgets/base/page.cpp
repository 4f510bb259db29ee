// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/page.h"

#include "core/text/numbers.h"
#include "widgets/base/theme.h"

#include <QMenu>

#include <string>

namespace quadric::widgets {

QString pickedText(const PickedRuns& runs)
{
    std::vector<std::string> numbers;
    for (const int run : runs.all)
        numbers.push_back(std::to_string(run));
    return (numbers.size() == 1 ? Page::tr("Run %1 is selected.") : Page::tr("Runs %1 are selected."))
        .arg(QString::fromStdString(text::formatList(numbers)));
}

void Page::addRunActions(QMenu& menu, const PickedRuns& picked)
{
    if (picked.isEmpty())
        return;
    const QString words = picked.all.size() == 1 ? tr("run %1").arg(picked.current)
                                                 : formatCount(static_cast<qint64>(picked.all.size()), "run");
    menu.addSeparator();
    menu.addAction(tr("&Exclude %1…").arg(words), this,
                   [this, runs = picked.all] { emit exclusionRequested(runs); })
        ->setObjectName(QStringLiteral("excludeRuns"));
    menu.addAction(tr("Show %1 in &Design").arg(words), this, [this] { emit stepRequested(Step::Design); })
        ->setObjectName(QStringLiteral("showInDesign"));
    menu.addAction(tr("C&lear the selection"), this, [this] { emit runsPicked({}); })
        ->setObjectName(QStringLiteral("clearRuns"));
}

} // namespace quadric::widgets
