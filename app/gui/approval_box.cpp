// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/approval_box.h"

#include <QCoreApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>

namespace quadric::app {

namespace {

constexpr int kReadableWidth = 560;

QString tr(const char* text)
{
    return QCoreApplication::translate("approval", text);
}

} // namespace

void askForApproval(QWidget* parent, const QString& question, std::function<void()> approved)
{
    auto* box = new QMessageBox(QMessageBox::Question, tr("Run this command?"),
                                tr("Allow this command to run?"), QMessageBox::Cancel, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("approval"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(question.trimmed());
    // Qt breaks a command at each hyphen to keep the box narrow; what is approved has to be easy to read.
    if (auto* label = box->findChild<QLabel*>(QStringLiteral("qt_msgbox_informativelabel")))
        label->setMinimumWidth(kReadableWidth);
    auto* run = box->addButton(tr("Approve and run"), QMessageBox::AcceptRole);
    run->setObjectName(QStringLiteral("approve"));
    QObject::connect(run, &QAbstractButton::clicked, parent, std::move(approved));
    box->setDefaultButton(QMessageBox::Cancel);
    box->open();
}

} // namespace quadric::app
