// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/message_boxes.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace quadric::app {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("messages", text);
}

} // namespace

void showAbout(QWidget& window)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Quadric"),
                                tr("Quadric %1").arg(QCoreApplication::applicationVersion()), QMessageBox::Ok,
                                &window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Interactive experiment design.\nGPL-3.0-or-later"));
    box->setIconPixmap(window.windowIcon().pixmap(64));
    box->open();
}

void showComplaint(QWidget& window, const QString& title, const QString& reason)
{
    auto* box = new QMessageBox(QMessageBox::Warning, title, title, QMessageBox::Ok, &window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("complaint"));
    box->setInformativeText(reason);
    box->open();
}

bool mayLoseChangesOfARunningStudy(QWidget& window)
{
    return QMessageBox::question(
               &window, tr("The experiment goes on"),
               tr("Your changes since it started can only be saved when it has ended. Close and lose "
                  "these changes? Nothing that was measured is lost.")) == QMessageBox::Yes;
}

bool mayLoseUnsavedChanges(QWidget& window)
{
    return QMessageBox::question(&window, tr("The study could not be saved"),
                                 tr("Close it all the same and lose the last changes?")) == QMessageBox::Yes;
}

} // namespace quadric::app
