// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help.h"

#include "widgets/base/style.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace quadric::app {

QDialog& showText(QWidget* window, const QString& title, const QString& markdown)
{
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->resize(520, 360);

    auto* text = new QTextBrowser;
    text->setFrameShape(QFrame::NoFrame);
    text->setMarkdown(markdown);
    text->setAccessibleName(title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);

    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap,
                               widgets::kGroupGap);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->show();
    return *dialog;
}

void showHelp(QWidget* window, const QString& topic)
{
    QFile file(QStringLiteral(":/help/%1.md").arg(topic));
    if (file.open(QIODevice::ReadOnly))
        showText(window, QDialog::tr("Help"), QString::fromUtf8(file.readAll()))
            .setObjectName(QStringLiteral("help"));
}

} // namespace quadric::app
