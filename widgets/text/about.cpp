// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/about.h"

#include "widgets/text/text_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QPushButton>

namespace quadric::widgets {

QString findMethod(const QString& heading)
{
    if (heading.isEmpty())
        return {};
    const QDir pages(QStringLiteral(":/help/methods"));
    for (const QString& name : pages.entryList({QStringLiteral("*.md")})) {
        QFile page(pages.filePath(name));
        if (page.open(QIODevice::ReadOnly) &&
            QString::fromUtf8(page.readAll()).contains(QStringLiteral("# ") + heading + QLatin1Char('\n')))
            return page.fileName();
    }
    return {};
}

void showAbout(QWidget* parent, const About& about)
{
    QDialog& dialog = showTextDialog(parent, about.title, about.text);
    dialog.setObjectName(QStringLiteral("about"));
    const QString page = findMethod(about.section);
    if (page.isEmpty())
        return;
    auto* method = dialog.findChild<QDialogButtonBox*>()->addButton(QDialog::tr("&How it is computed"),
                                                                    QDialogButtonBox::ActionRole);
    QObject::connect(method, &QPushButton::clicked, &dialog,
                     [&dialog, page, heading = about.section] { showMethod(dialog, page, heading); });
}

} // namespace quadric::widgets
