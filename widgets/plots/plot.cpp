// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot.h"

#include "widgets/plots/plot_style.h"

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

} // namespace quadric::widgets
