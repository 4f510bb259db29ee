// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/choice_card.h"

#include "widgets/base/style.h"

#include <QPainter>

namespace quadric::widgets {

namespace {

constexpr int kMargin = 12;
constexpr int kDot = 16;
constexpr int kTextLeft = kMargin + kDot + kGap;
constexpr int kUsualWidth = 280;

} // namespace

ChoiceCard::ChoiceCard(const QString& title, QString about, QWidget* parent)
    : QAbstractButton(parent)
    , m_about(std::move(about))
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(m_about);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChoiceCard::setTitle(const QString& title)
{
    setText(title);
    setAccessibleName(title);
}

void ChoiceCard::setAbout(const QString& about)
{
    m_about = about;
    tellChanged();
}

void ChoiceCard::setFacts(const QString& facts)
{
    m_facts = facts;
    tellChanged();
}

void ChoiceCard::setBadge(const QString& badge)
{
    m_badge = badge;
    tellChanged();
}

void ChoiceCard::tellChanged()
{
    QStringList spoken = {m_badge, m_about, m_facts};
    spoken.removeAll(QString());
    setAccessibleDescription(spoken.join(QStringLiteral(". ")));
    updateGeometry();
    update();
}

QSize ChoiceCard::sizeHint() const
{
    return {kUsualWidth, heightForWidth(kUsualWidth)};
}

int ChoiceCard::heightForWidth(int width) const
{
    return (m_facts.isEmpty() ? aboutArea(width) : factsArea(width)).bottom() + kMargin;
}

QRect ChoiceCard::aboutArea(int width) const
{
    const QRect space(kTextLeft, kMargin + fontMetrics().height() + 2,
                      std::max(1, width - kTextLeft - kMargin), 1000);
    return fontMetrics().boundingRect(space, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_about);
}

QRect ChoiceCard::factsArea(int width) const
{
    const int top = m_about.isEmpty() ? kMargin + fontMetrics().height() + 2 : aboutArea(width).bottom() + 4;
    const QRect space(kTextLeft, top, std::max(1, width - kTextLeft - kMargin), 1000);
    return fontMetrics().boundingRect(space, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_facts);
}

void ChoiceCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isLit = isEnabled() && (isChecked() || hasFocus());
    painter.setPen(QPen(palette().color(isLit ? QPalette::Highlight : QPalette::Mid), isLit ? 2 : 1));
    const bool isHovered = isEnabled() && underMouse();
    painter.setBrush(palette().color(isHovered ? QPalette::AlternateBase : QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    paintDot(painter);
    paintTitle(painter);
    constexpr int kFlow = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(aboutArea(width()), kFlow, m_about);
    painter.setPen(palette().color(isEnabled() ? QPalette::Text : QPalette::PlaceholderText));
    painter.drawText(factsArea(width()), kFlow, m_facts);
}

void ChoiceCard::paintDot(QPainter& painter) const
{
    const QRectF dot(kMargin, kMargin + (fontMetrics().height() - kDot) / 2.0, kDot, kDot);
    painter.setPen(QPen(palette().color(isChecked() ? QPalette::Highlight : QPalette::PlaceholderText), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(dot.adjusted(1, 1, -1, -1));
    if (!isChecked())
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawEllipse(dot.adjusted(4.5, 4.5, -4.5, -4.5));
}

/// The title, and at the right the badge: a filled label, so that it is more than a color.
void ChoiceCard::paintTitle(QPainter& painter) const
{
    const int line = fontMetrics().height();
    QRect area(kTextLeft, kMargin, width() - kTextLeft - kMargin, line);
    if (!m_badge.isEmpty()) {
        const int badgeWidth = fontMetrics().horizontalAdvance(m_badge) + 2 * kGap;
        const QRect badge(area.right() - badgeWidth + 1, kMargin - 2, badgeWidth, line + 4);
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::Highlight));
        painter.drawRoundedRect(badge, 4, 4);
        painter.setFont(font());
        painter.setPen(palette().color(QPalette::HighlightedText));
        painter.drawText(badge, Qt::AlignCenter, m_badge);
        area.setRight(badge.left() - kGap);
    }
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(palette().color(isEnabled() ? QPalette::Text : QPalette::PlaceholderText));
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(text(), Qt::ElideRight, area.width()));
}

void ChoiceCard::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void ChoiceCard::leaveEvent(QEvent* event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace quadric::widgets
