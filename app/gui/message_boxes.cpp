// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/message_boxes.h"

#include "app/gui/icons.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace quadric::app {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("messages", text);
}

constexpr int kIconSize = 64;

/// "Qt 6.4.2 · Eigen 3.4.0 · …", for reports of errors.
QString libraries()
{
    return QStringLiteral("Qt %1 · " QUADRIC_LIBRARIES).arg(QLatin1String(qVersion()));
}

} // namespace

void showAbout(QWidget& window)
{
    auto* box =
        new QMessageBox(QMessageBox::NoIcon, tr("About Quadric"),
                        tr("Quadric %1").arg(QStringLiteral(QUADRIC_VERSION)), QMessageBox::Close, &window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("about"));
    box->setInformativeText(
        tr("Design experiments, run them, and find the best settings.\n\n"
           "Free software under the GNU General Public License, version 3 or later. It comes "
           "with no warranty.\n\n%1")
            .arg(libraries()));
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setIconPixmap(programIcon().pixmap(QSize(kIconSize, kIconSize), window.devicePixelRatioF()));
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
    return QMessageBox::question(&window, tr("The experiment goes on"),
                                 tr("Changes made meanwhile can be saved only when it has ended. Close and "
                                    "discard them? Nothing that was measured is lost.")) == QMessageBox::Yes;
}

bool mayLoseUnsavedChanges(QWidget& window)
{
    return QMessageBox::question(&window, tr("The study could not be saved"), tr("Close without saving?")) ==
           QMessageBox::Yes;
}

} // namespace quadric::app
