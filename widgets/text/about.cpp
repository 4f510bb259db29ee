// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/about.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

/// Shows the page with the heading on top.
void showMethod(QTextBrowser& browser, const QString& page, const QString& heading)
{
    browser.setSource(QUrl(QStringLiteral("qrc") + page), QTextDocument::MarkdownResource);
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || block.text() != heading)
            continue;
        browser.moveCursor(QTextCursor::End); // so that the heading ends up at the top, not at the bottom
        browser.setTextCursor(QTextCursor(block));
        return;
    }
}

} // namespace

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
    if (const QString page = findMethod(about.section); !page.isEmpty()) {
        auto* method = buttons->addButton(QDialog::tr("&How it is computed"), QDialogButtonBox::ActionRole);
        QObject::connect(method, &QPushButton::clicked, dialog,
                         [text, page, heading = about.section] { showMethod(*text, page, heading); });
    }
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->show();
}

} // namespace quadric::widgets
