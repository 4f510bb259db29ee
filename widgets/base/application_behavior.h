// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProxyStyle>
#include <QWidget>

class QStyleOptionSlider;

namespace quadric::widgets {

/// Shows texts as they are, whoever wrote them: while it lives, every label of the application that was not
/// told its format, tooltips and message boxes among them, shows markup as text instead of following it.
class PlainTexts : public QObject {
    Q_OBJECT

public:
    explicit PlainTexts(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// While it lives, the keys of Undo and Redo reach the window from every field of the application that has no
/// typing of its own to take back: an untouched spin box, combo box, line or text keeps none of them.
class UndoKeys : public QObject {
    Q_OBJECT

public:
    explicit UndoKeys(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// While it lives, tables, texts and other areas that scroll, for which the style draws no focus, have a ring
/// around them when the keyboard has brought the focus there.
class FocusRing : public QWidget {
    Q_OBJECT

public:
    explicit FocusRing(QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow(QWidget* focus);

    QWidget* m_window;
    QWidget* m_area = nullptr; ///< has the ring
};

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
