// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/choice_card.h"

#include "widgets/design/labels.h"

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

void ChoiceCard::setAbout(const QString& about)
{
    m_about = about;
    setAccessibleDescription(about);
    updateGeometry();
    update();
}

QSize ChoiceCard::sizeHint() const
{
    return {kUsualWidth, heightForWidth(kUsualWidth)};
}

int ChoiceCard::heightForWidth(int width) const
{
    return aboutArea(width).bottom() + kMargin;
}

QRect ChoiceCard::aboutArea(int width) const
{
    const QRect space(kTextLeft, kMargin + fontMetrics().height() + 2,
                      std::max(1, width - kTextLeft - kMargin), 1000);
    return fontMetrics().boundingRect(space, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_about);
}

void ChoiceCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isLit = isChecked() || hasFocus() || underMouse();
    painter.setPen(QPen(palette().color(isLit ? QPalette::Highlight : QPalette::Mid), hasFocus() ? 2 : 1));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);

    const int line = fontMetrics().height();
    const QRectF dot(kMargin, kMargin + (line - kDot) / 2.0, kDot, kDot);
    painter.setPen(QPen(palette().color(isChecked() ? QPalette::Highlight : QPalette::PlaceholderText), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(dot.adjusted(1, 1, -1, -1));
    if (isChecked()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::Highlight));
        painter.drawEllipse(dot.adjusted(4.5, 4.5, -4.5, -4.5));
    }
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRect(kTextLeft, kMargin, width() - kTextLeft - kMargin, line),
                     Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(aboutArea(width()), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_about);
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
