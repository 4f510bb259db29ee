// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/about.h"

#include "widgets/base/style.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <memory>

namespace quadric::widgets {

namespace {

constexpr int kTextWidth = 520, kMostTextHeight = 560;
constexpr QSize kMethodSize{640, 520};

/// What the text needs at the width of the dialog, without a scroll bar.
int computeTextHeight(const QTextBrowser& text)
{
    const std::unique_ptr<QTextDocument> document(text.document()->clone());
    document->setDefaultFont(text.font());
    document->setTextWidth(kTextWidth - 2 * kGroupGap);
    return std::min(kMostTextHeight, static_cast<int>(std::ceil(document->size().height())) + kGap);
}

} // namespace

QDialog& showTextDialog(QWidget* parent, const QString& title, const QString& markdown)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* text = new QTextBrowser;
    text->setFrameShape(QFrame::NoFrame);
    text->setMarkdown(markdown);
    text->setAccessibleName(title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(kGroupGap, kGroupGap, kGroupGap, kGroupGap);
    layout->addWidget(text);
    layout->addWidget(buttons);
    const int frame = 2 * kGroupGap + layout->spacing() + buttons->sizeHint().height();
    resizeWithinScreen(*dialog, {kTextWidth, computeTextHeight(*text) + frame});
    dialog->show();
    return *dialog;
}

void showMethod(QDialog& dialog, const QString& page, const QString& heading)
{
    dialog.resize(dialog.size().expandedTo(kMethodSize));
    auto& browser = *dialog.findChild<QTextBrowser*>();
    browser.setSource(QUrl(QStringLiteral("qrc") + page), QTextDocument::MarkdownResource);
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || block.text() != heading)
            continue;
        browser.moveCursor(QTextCursor::End); // so that the heading ends up at the top, not at the bottom
        browser.setTextCursor(QTextCursor(block));
        return;
    }
}

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
