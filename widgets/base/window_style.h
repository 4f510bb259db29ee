// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

class QStyleOptionSlider;

namespace quadric::widgets {

/// Fusion, with scroll bars whose handle stands out from the page and whose groove does not.
class WindowStyle : public QProxyStyle {
    Q_OBJECT

public:
    WindowStyle();
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;

private:
    void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const;
};

} // namespace quadric::widgets
