// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/message_boxes.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMessageBox>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextOption>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace quadric::app {

namespace {

using widgets::tr;

constexpr int kSignSize = 32;
constexpr int kTextWidth = 480; ///< of a box, in pixels: its title and a sentence have room
constexpr int kMostTextWidth = 900;
constexpr qsizetype kLongWord = 120; ///< characters; a longer one is broken

/// A path of any length wraps, too.
QString breakable(const QString& text)
{
    static const QRegularExpression longWord(QStringLiteral("\\S{%1}(?=\\S)").arg(kLongWord));
    return QString(text).replace(longWord, QStringLiteral("\\0\n"));
}

/// As wide as the longest word of the text needs, within bounds.
int widthFor(const QString& text, const QFontMetrics& metrics)
{
    int width = kTextWidth;
    for (const QString& word : text.split(QRegularExpression(QStringLiteral("\\s")), Qt::SkipEmptyParts))
        width = std::max(width, metrics.horizontalAdvance(word));
    return std::min(width, kMostTextWidth);
}

QPixmap warningSign(const QWidget& window)
{
    const qreal ratio = window.devicePixelRatioF();
    QPixmap sign(QSize(kSignSize, kSignSize) * ratio);
    sign.setDevicePixelRatio(ratio);
    sign.fill(Qt::transparent);
    QPainter painter(&sign);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(widgets::plotColors(window.palette()).warning);
    painter.drawEllipse(1, 1, kSignSize - 2, kSignSize - 2);
    QFont font = window.font();
    font.setBold(true);
    font.setPixelSize(kSignSize * 5 / 8);
    painter.setFont(font);
    painter.setPen(window.palette().color(QPalette::Base));
    painter.drawText(QRect(0, 0, kSignSize, kSignSize), Qt::AlignCenter, QStringLiteral("!"));
    return sign;
}

/// The dialog in front of the window, which alone can be used while it is open; the window without one.
QWidget& frontOf(QWidget& window)
{
    QWidget* front = QApplication::activeModalWidget();
    for (QWidget* each = front; each; each = each->parentWidget()) {
        if (each == &window)
            return *front;
    }
    return window;
}

/// A warning with room for its title and its text, in front of whatever the window shows.
QMessageBox* makeWarning(QWidget& window, const QString& title, const QString& text)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, title, title, QMessageBox::NoButton, &frontOf(window));
    box->setIconPixmap(warningSign(window));
    if (auto* label = box->findChild<QLabel*>(QStringLiteral("qt_msgbox_label"))) {
        QFont bold = label->font();
        bold.setBold(true);
        label->setFont(bold);
    }
    box->setInformativeText(breakable(text));
    if (auto* label = box->findChild<QLabel*>(QStringLiteral("qt_msgbox_informativelabel")))
        label->setMinimumWidth(widthFor(box->informativeText(), label->fontMetrics()));
    return box;
}

constexpr int kColumns = 90; ///< the question's lines have 80 at most, beside a scroll bar
constexpr int kLeastLines = 8, kLines = 20;

/// Everything can be scrolled to and nothing is cut, however long a word is.
QPlainTextEdit* makeQuestionView(const QString& question)
{
    auto* view = new QPlainTextEdit;
    view->setObjectName(QStringLiteral("approvalQuestion"));
    view->setAccessibleName(tr("What the study wants to run"));
    view->setReadOnly(true);
    view->setTabChangesFocus(true);
    view->setFont(widgets::fixedFont());
    view->setWordWrapMode(QTextOption::WrapAnywhere);
    view->setPlainText(question.trimmed());
    const QFontMetrics metrics(view->font());
    const int lines = std::clamp(int(question.count(QLatin1Char('\n'))) + 2, kLeastLines, kLines);
    view->setMinimumWidth(kColumns * metrics.horizontalAdvance(QLatin1Char('0')));
    view->setMinimumHeight(lines * metrics.lineSpacing());
    return view;
}

} // namespace

void showComplaint(QWidget& window, const QString& title, const QString& reason)
{
    QMessageBox* box = makeWarning(window, title, reason);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("complaint"));
    QPushButton* close = box->addButton(tr("OK"), QMessageBox::AcceptRole); // without an icon of the style
    box->setDefaultButton(close);
    box->setEscapeButton(close);
    box->open();
}

bool confirmLosingUnsavedChanges(QWidget& window)
{
    const std::unique_ptr<QMessageBox> box(
        makeWarning(window, tr("Close without saving?"),
                    tr("The study could not be saved. Its last changes will be lost.")));
    const auto* discard = box->addButton(tr("Discard changes"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Cancel"), QMessageBox::RejectRole)); // also for Esc
    box->exec();
    return box->clickedButton() == discard;
}

void askForApproval(QWidget* parent, const QString& question, std::function<void()> approved)
{
    auto* box = new QDialog(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("approval"));
    box->setWindowTitle(tr("Run this command?"));
    box->setModal(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto* run = buttons->addButton(tr("Approve and run"), QDialogButtonBox::AcceptRole);
    run->setObjectName(QStringLiteral("approve"));
    run->setAutoDefault(false);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(widgets::kPageMargin, widgets::kPageMargin, widgets::kPageMargin,
                               widgets::kGroupGap);
    layout->setSpacing(widgets::kGap);
    layout->addWidget(widgets::titleLabel(tr("Allow this command to run?")));
    layout->addWidget(widgets::mutedLabel(tr("It can do everything that you can do on this computer.")));
    layout->addWidget(makeQuestionView(question));
    layout->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::accepted, box, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, box, &QDialog::reject);
    QObject::connect(box, &QDialog::accepted, parent, std::move(approved));
    auto* cancel = buttons->button(QDialogButtonBox::Cancel);
    cancel->setIcon({});
    cancel->setDefault(true);
    cancel->setFocus();
    box->open();
}

} // namespace quadric::app
