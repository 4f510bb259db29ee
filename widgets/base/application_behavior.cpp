// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/application_behavior.h"

#include "widgets/base/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QStyleOption>
#include <QTextEdit>

#include <cmath>
#include <optional>

namespace quadric::widgets {

PlainTexts::PlainTexts(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool PlainTexts::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Polish) {
        auto* label = qobject_cast<QLabel*>(watched);
        if (label && label->textFormat() == Qt::AutoText)
            label->setTextFormat(Qt::PlainText);
    }
    return QObject::eventFilter(watched, event);
}

namespace {

/// The text of a spin box is not its value yet.
bool isBeingTyped(const QAbstractSpinBox& box)
{
    bool isNumber = false;
    if (const auto* whole = qobject_cast<const QSpinBox*>(&box))
        return whole->locale().toInt(whole->cleanText(), &isNumber) != whole->value() || !isNumber;
    if (const auto* real = qobject_cast<const QDoubleSpinBox*>(&box)) {
        const double typed = real->locale().toDouble(real->cleanText(), &isNumber);
        return !isNumber || std::abs(typed - real->value()) > 0.5 * std::pow(10.0, -real->decimals());
    }
    return true;
}

bool canUndoTyping(const QLineEdit& line, bool isRedo)
{
    return !line.isReadOnly() && (isRedo ? line.isRedoAvailable() : line.isUndoAvailable());
}

bool canUndoTyping(const QTextDocument& text, bool isReadOnly, bool isRedo)
{
    return !isReadOnly && (isRedo ? text.isRedoAvailable() : text.isUndoAvailable());
}

/// Whether the field has something of its own; empty: it is no field, and keeps its keys or does not.
std::optional<bool> canUndoInWidget(QObject& watched, bool isRedo)
{
    if (const auto* box = qobject_cast<QAbstractSpinBox*>(&watched)) {
        const auto* line = box->findChild<QLineEdit*>();
        return line && canUndoTyping(*line, isRedo) && isBeingTyped(*box);
    }
    if (const auto* combo = qobject_cast<QComboBox*>(&watched))
        return combo->lineEdit() && canUndoTyping(*combo->lineEdit(), isRedo) &&
               combo->currentText() != combo->itemText(combo->currentIndex());
    if (const auto* line = qobject_cast<QLineEdit*>(&watched))
        return canUndoTyping(*line, isRedo);
    if (const auto* plain = qobject_cast<QPlainTextEdit*>(&watched))
        return canUndoTyping(*plain->document(), plain->isReadOnly(), isRedo);
    if (const auto* rich = qobject_cast<QTextEdit*>(&watched))
        return canUndoTyping(*rich->document(), rich->isReadOnly(), isRedo);
    return std::nullopt;
}

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

UndoKeys::UndoKeys(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool UndoKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool isRedo = key->matches(QKeySequence::Redo);
    if (!isRedo && !key->matches(QKeySequence::Undo))
        return QObject::eventFilter(watched, event);
    if (canUndoInWidget(*watched, isRedo).value_or(true))
        return QObject::eventFilter(watched, event);
    event->ignore();
    return true; // it accepts them whatever it has
}

FocusRing::FocusRing(QWidget* window)
    : QWidget(window)
    , m_window(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

/// It leaves an area before that can be deleted with it.
void FocusRing::follow(QWidget* focus)
{
    if (m_area != nullptr)
        m_area->removeEventFilter(this);
    m_area = qobject_cast<QAbstractScrollArea*>(focus);
    const bool isByKeys = focus != nullptr && focus->window()->testAttribute(Qt::WA_KeyboardFocusChange);
    if (m_area == nullptr || !isByKeys) {
        m_area = nullptr;
        setParent(m_window);
        return hide();
    }
    setParent(m_area);
    setGeometry(m_area->rect());
    m_area->installEventFilter(this);
    show();
    raise();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_area && event->type() == QEvent::Resize)
        setGeometry(m_area->rect());
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::Active, QPalette::Link), 2.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 2, 2);
}

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
