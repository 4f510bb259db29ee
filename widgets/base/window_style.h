// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

class QStyleOptionSlider;

namespace quadric::widgets {

/// Fusion, with scroll bars whose handle stands out from the page and whose groove does not, and with
/// outlines that are seen on any ground: of controls at 3:1, of the one that the keys go to in the color of
/// links.
class WindowStyle : public QProxyStyle {
    Q_OBJECT

public:
    WindowStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;

private:
    void drawOutline(const QStyleOption& option, double radius, bool hasFocus, QPainter& painter) const;
    void drawSliderOutlines(const QStyleOptionSlider& slider, QPainter& painter, const QWidget* widget) const;
    void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const;
};

} // namespace quadric::widgets
