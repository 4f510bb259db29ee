// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/window_style.h"

#include "widgets/base/theme.h"

#include <QPainter>
#include <QStyleOption>

namespace quadric::widgets {

WindowStyle::WindowStyle()
    : QProxyStyle(QStringLiteral("fusion"))
{
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                     QPainter* painter, const QWidget* widget) const
{
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ScrollBar && bar)
        drawScrollBar(*bar, *painter, widget);
    else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
}

/// The arrows are Fusion's.
void WindowStyle::drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const
{
    const QColor window = bar.palette.color(QPalette::Window);
    painter.fillRect(bar.rect, window);
    QStyleOptionSlider arrows = bar;
    arrows.subControls &= ~(SC_ScrollBarGroove | SC_ScrollBarSlider);
    QProxyStyle::drawComplexControl(CC_ScrollBar, &arrows, &painter, widget);
    if (!bar.subControls.testFlag(SC_ScrollBarSlider) || !bar.state.testFlag(State_Enabled))
        return;
    const bool isHeld = bar.activeSubControls.testFlag(SC_ScrollBarSlider);
    const QRect handle = subControlRect(CC_ScrollBar, &bar, SC_ScrollBarSlider, widget);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(blend(bar.palette.color(QPalette::PlaceholderText), window, isHeld ? 1.0 : 0.75));
    painter.drawRoundedRect(QRectF(handle).adjusted(3, 3, -3, -3), 3, 3);
    painter.restore();
}

} // namespace quadric::widgets
