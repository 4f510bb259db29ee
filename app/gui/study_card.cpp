// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/study_card.h"

#include "app/gui/study_preview.h"
#include "widgets/base/style.h"

#include <QEvent>
#include <QPainter>

namespace quadric::app {

namespace {

constexpr QSize kThumbnail(136, 104);
constexpr int kCardHeight = 120;
constexpr int kTextLeft = widgets::kGap + kThumbnail.width() + widgets::kGroupGap;

} // namespace

StudyCard::StudyCard(QString path, const QString& title, QString about, QWidget* parent)
    : QAbstractButton(parent)
    , m_path(std::move(path))
    , m_about(std::move(about))
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(m_about);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize StudyCard::sizeHint() const
{
    return {360, kCardHeight};
}

QSize StudyCard::minimumSizeHint() const
{
    return {240, kCardHeight};
}

void StudyCard::readStudy()
{
    m_isRead = true;
    if (const auto preview = previewOf(m_path, kThumbnail, devicePixelRatioF(), palette())) {
        setText(preview->title);
        m_facts = preview->words;
        m_thumbnail = preview->thumbnail;
    } else {
        m_facts = tr("cannot be read");
    }
}

void StudyCard::paintEvent(QPaintEvent*)
{
    if (!m_isRead)
        readStudy();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isLit = underMouse() || hasFocus();
    painter.setPen(
        QPen(palette().color(isLit ? QPalette::Highlight : QPalette::Midlight), hasFocus() ? 2 : 1));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    painter.drawPixmap(widgets::kGap, (height() - kThumbnail.height()) / 2, m_thumbnail);
    paintWords(painter);
}

void StudyCard::paintWords(QPainter& painter) const
{
    const int line = fontMetrics().height();
    const QRect area(kTextLeft, widgets::kGap, width() - kTextLeft - widgets::kGroupGap,
                     height() - 2 * widgets::kGap);
    const int aboutHeight = m_about.isEmpty() ? 0 : std::min(3 * line, area.height() - 2 * line - 2);
    const int top = area.top() + (area.height() - 2 * line - aboutHeight) / 2;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRect(area.left(), top, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(text(), Qt::ElideRight, area.width()));
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(area.left(), top + line, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_facts, Qt::ElideRight, area.width()));
    painter.drawText(QRect(area.left(), top + 2 * line + 2, area.width(), aboutHeight),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_about);
}

void StudyCard::changeEvent(QEvent* event)
{
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_isRead = false;
}

void StudyCard::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void StudyCard::leaveEvent(QEvent* event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace quadric::app
