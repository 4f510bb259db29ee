// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/discard_question.h"

#include <QMessageBox>
#include <QPushButton>

namespace quadric::widgets {

QAbstractButton* askToDiscard(QWidget& window)
{
    auto* box =
        new QMessageBox(QMessageBox::Question, window.windowTitle(),
                        QMessageBox::tr("Discard what you have entered?"), QMessageBox::NoButton, &window);
    box->setObjectName(QStringLiteral("discardQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(QMessageBox::tr("Nothing of it is saved yet."));
    QPushButton* discard = box->addButton(QMessageBox::tr("&Discard"), QMessageBox::DestructiveRole);
    QPushButton* keep = box->addButton(QMessageBox::tr("&Keep editing"), QMessageBox::RejectRole);
    discard->setObjectName(QStringLiteral("discardStudy"));
    keep->setObjectName(QStringLiteral("keepEditing"));
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    box->open();
    return discard;
}

} // namespace quadric::widgets
