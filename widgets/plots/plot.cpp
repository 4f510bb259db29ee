// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot.h"

#include "widgets/plots/plot_picture.h"
#include "widgets/plots/plot_style.h"

#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>

namespace quadric::widgets {

Plot::Plot(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMinimumSize(160, 120);
}

void Plot::setSimulated(bool simulated)
{
    m_simulated = simulated;
    update();
}

void Plot::setPickedRun(int runId)
{
    m_pickedRun = runId;
    update();
}

QSize Plot::sizeHint() const
{
    return {420, 300};
}

void Plot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintTo(painter, rect(), false);
    if (hasFocus())
        drawFocusFrame(painter, rect(), plotStyle(*this, false));
}

void Plot::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Copy picture"), this, [this] { copyPicture(*this); });
    menu->addAction(tr("&Save picture…"), this, &Plot::askWhereToSave);
    menu->popup(event->globalPos());
}

void Plot::askWhereToSave()
{
    const QString kinds = tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)");
    QString chosen;
    QString path = QFileDialog::getSaveFileName(this, tr("Save picture"), {}, kinds, &chosen);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += chosen.section(QLatin1Char('*'), 1).chopped(1);
    const QString problem = savePicture(*this, path);
    if (!problem.isEmpty())
        QMessageBox::warning(this, tr("Save picture"), problem);
}

} // namespace quadric::widgets
