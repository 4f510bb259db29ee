// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/approval_box.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace quadric::app {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("approval", text);
}

} // namespace

void askForApproval(QWidget* parent, const QString& question, std::function<void()> approved)
{
    auto* box = new QMessageBox(QMessageBox::Question, tr("Run this command?"),
                                tr("This study runs a command of its own"), QMessageBox::Cancel, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("approval"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(question);
    auto* run = box->addButton(tr("Approve and run"), QMessageBox::AcceptRole);
    run->setObjectName(QStringLiteral("approve"));
    QObject::connect(run, &QAbstractButton::clicked, parent, std::move(approved));
    box->setDefaultButton(QMessageBox::Cancel);
    box->open();
}

} // namespace quadric::app
