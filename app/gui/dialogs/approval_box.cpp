// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/approval_box.h"

#include "widgets/base/style.h"
#include "widgets/text/translate.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QTextOption>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::app {

namespace {

using widgets::tr;

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
