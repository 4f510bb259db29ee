// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/choice_card.h"

#include "widgets/base/style.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kMargin = 12;
constexpr int kDot = 16;
constexpr int kTextLeft = kMargin + kDot + kGap;
constexpr int kUsualWidth = 280;
constexpr int kUnlimited = 10000; ///< pixels: a text may be as high as it needs
constexpr int kFlow = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

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
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChoiceCard::setTitle(const QString& title)
{
    setText(title);
    setAccessibleName(title);
    updateGeometry();
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
    const Places places = placesIn(width);
    const QRect& last = !m_facts.isEmpty() ? places.facts : !m_about.isEmpty() ? places.about : places.title;
    return last.bottom() + kMargin;
}

QFont ChoiceCard::titleFont() const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    return bold;
}

/// The title beside the badge, or below it where both together are too wide.
ChoiceCard::Places ChoiceCard::placesIn(int width) const
{
    const int room = std::max(1, width - kTextLeft - kMargin);
    const auto flowed = [room](int top, const QFont& font, const QString& text) {
        const int height =
            QFontMetrics(font).boundingRect(QRect(0, 0, room, kUnlimited), kFlow, text).height();
        return QRect(kTextLeft, top, room, height);
    };
    Places places;
    int top = kMargin;
    if (!m_badge.isEmpty()) {
        const int badge = fontMetrics().horizontalAdvance(m_badge) + 2 * kGap;
        const bool isBeside = QFontMetrics(titleFont()).horizontalAdvance(text()) + kGap + badge <= room;
        places.badge = QRect(isBeside ? kTextLeft + room - badge : kTextLeft, kMargin - 2, badge,
                             fontMetrics().height() + 4);
        top = isBeside ? kMargin : places.badge.bottom() + 4;
    }
    places.title = flowed(top, titleFont(), text());
    places.about = flowed(places.title.bottom() + 3, font(), m_about);
    places.facts = flowed((m_about.isEmpty() ? places.title : places.about).bottom() + 4, font(), m_facts);
    return places;
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
    const Places places = placesIn(width());
    if (!m_badge.isEmpty())
        paintBadge(painter, places.badge);
    const QColor strong = palette().color(isEnabled() ? QPalette::Text : QPalette::PlaceholderText);
    painter.setPen(strong);
    painter.setFont(titleFont());
    painter.drawText(places.title, kFlow, text());
    painter.setFont(font());
    painter.drawText(places.facts, kFlow, m_facts);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(places.about, kFlow, m_about);
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

/// A filled label, so that it is more than a color.
void ChoiceCard::paintBadge(QPainter& painter, const QRect& area) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawRoundedRect(area, 4, 4);
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::HighlightedText));
    painter.drawText(area, Qt::AlignCenter, m_badge);
}

} // namespace quadric::widgets
