// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/about.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QPushButton>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

/// Headings are blocks of their own; the first that begins with these words is shown on top.
void scrollToHeading(QTextBrowser& browser, const QString& heading)
{
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || !block.text().startsWith(heading))
            continue;
        browser.moveCursor(QTextCursor::End); // so that the heading ends up at the top, not at the bottom
        browser.setTextCursor(QTextCursor(block));
        return;
    }
}

void showMethod(QTextBrowser& browser, const QString& section)
{
    QFile methods(QStringLiteral(":/help/methods.md"));
    if (!methods.open(QIODevice::ReadOnly))
        return;
    browser.setMarkdown(QString::fromUtf8(methods.readAll()));
    scrollToHeading(browser, section);
}

} // namespace

void showAbout(QWidget* parent, const About& about)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("about"));
    dialog->setWindowTitle(about.title);
    dialog->resize(520, 360);
    auto* text = new QTextBrowser;
    text->setFrameShape(QFrame::NoFrame);
    text->setMarkdown(about.text);
    text->setAccessibleName(about.title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    if (!about.section.isEmpty() && QFile::exists(QStringLiteral(":/help/methods.md"))) {
        auto* method = buttons->addButton(QDialog::tr("&How it is computed"), QDialogButtonBox::ActionRole);
        QObject::connect(method, &QPushButton::clicked, dialog,
                         [text, section = about.section] { showMethod(*text, section); });
    }
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->show();
}

} // namespace quadric::widgets
