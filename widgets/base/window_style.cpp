// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/window_style.h"

#include "widgets/base/theme.h"

#include <QPainter>
#include <QPlainTextEdit>
#include <QStyleOption>
#include <QTextEdit>

namespace quadric::widgets {

namespace {

constexpr double kOutline = 0.56; ///< of the text's color over the ground: 3:1 and more
constexpr double kCorner = 2.0;
constexpr int kTabBar = 3; ///< pixels

bool isText(const QWidget* widget)
{
    return qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QTextEdit*>(widget);
}

/// Whether the control has the focus, and by the keyboard: a click shows by itself where it went.
bool hasKeys(const QStyleOption& option)
{
    return option.state.testFlag(QStyle::State_HasFocus) &&
           option.state.testFlag(QStyle::State_KeyboardFocusChange);
}

} // namespace

WindowStyle::WindowStyle()
    : QProxyStyle(QStringLiteral("fusion"))
{
}

/// Fusion darkens the window for its outlines, which nobody sees on a dark ground.
void WindowStyle::drawOutline(const QStyleOption& option, double radius, bool hasFocus,
                              QPainter& painter) const
{
    const QPalette& palette = option.palette;
    const double strength = isHighContrast(palette) ? 1.0 : kOutline;
    const QColor plain = blend(palette.color(QPalette::Active, QPalette::Text),
                               palette.color(QPalette::Active, QPalette::Base),
                               option.state.testFlag(State_Enabled) ? strength : strength / 2.0);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus ? QPen(palette.color(QPalette::Active, QPalette::Link), 2.0) : QPen(plain, 1.0));
    painter.setBrush(Qt::NoBrush);
    const double inset = hasFocus ? 1.0 : 0.5;
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), radius, radius);
    painter.restore();
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    switch (element) {
    case PE_Frame:
        if (isText(widget))
            drawOutline(*option, kCorner, false, *painter); // the ring of FocusRing comes over it
        return;
    case PE_FrameLineEdit:
        return drawOutline(*option, kCorner, option->state.testFlag(State_HasFocus), *painter);
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
    case PE_PanelButtonCommand:
        return drawOutline(*option, kCorner, hasKeys(*option), *painter);
    case PE_IndicatorRadioButton:
        return drawOutline(*option, option->rect.width() / 2.0, hasKeys(*option), *painter);
    default:
        return;
    }
}

/// In black and white the tab in front has a bar, and every tab an outline.
void WindowStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const
{
    QProxyStyle::drawControl(element, option, painter, widget);
    if (element != CE_TabBarTabShape || !isHighContrast(option->palette))
        return;
    drawOutline(*option, kCorner, hasKeys(*option), *painter);
    if (option->state.testFlag(State_Selected)) {
        QRect bar = option->rect;
        bar.setTop(bar.bottom() - kTabBar);
        painter->fillRect(bar, option->palette.color(QPalette::Highlight));
    }
}

void WindowStyle::drawSliderOutlines(const QStyleOptionSlider& slider, QPainter& painter,
                                     const QWidget* widget) const
{
    QStyleOption part = slider;
    part.rect = subControlRect(CC_Slider, &slider, SC_SliderHandle, widget);
    drawOutline(part, kCorner, hasKeys(slider), painter);
    if (!isHighContrast(slider.palette) || slider.orientation != Qt::Horizontal)
        return;
    const QRect groove = subControlRect(CC_Slider, &slider, SC_SliderGroove, widget);
    const int y = groove.center().y();
    painter.fillRect(QRect(QPoint(part.rect.right() + 1, y), QPoint(groove.right(), y + 1)),
                     slider.palette.color(QPalette::Text));
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                     QPainter* painter, const QWidget* widget) const
{
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ScrollBar && bar)
        return drawScrollBar(*bar, *painter, widget);
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_Slider && bar)
        drawSliderOutlines(*bar, *painter, widget);
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    if ((combo && (combo->frame || hasKeys(*option))) || (spin && spin->frame))
        drawOutline(*option, kCorner, option->state.testFlag(State_HasFocus), *painter);
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
