// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/start/study_card.h"

#include "app/gui/start/study_preview.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/gallery/study_picture.h"

#include <QEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QPainter>

namespace quadric::app {

namespace {

constexpr QSize kThumbnail(136, 104);
constexpr int kCardHeight = 120;
constexpr int kTextLeft = widgets::kGap + kThumbnail.width() + widgets::kGroupGap;

} // namespace

StudyCard::StudyCard(QString path, QString title, QString about, Picture picture, QWidget* parent)
    : QAbstractButton(parent)
    , m_path(std::move(path))
    , m_title(std::move(title))
    , m_about(std::move(about))
    , m_picture(picture)
{
    setText(m_title.isEmpty() ? QFileInfo(m_path).completeBaseName() : m_title);
    setAccessibleName(text());
    setAccessibleDescription(m_about);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize StudyCard::sizeHint() const
{
    return {360, std::max(kCardHeight, 5 * fontMetrics().height() + 3 * widgets::kGap)};
}

QSize StudyCard::minimumSizeHint() const
{
    return {240, sizeHint().height()};
}

void StudyCard::readStudy()
{
    m_isRead = true;
    const auto preview = readPreview(m_path);
    m_facts = preview ? preview->words : tr("cannot be read");
    m_isRunning = preview && preview->isRunning;
    m_timeLeft = preview ? preview->timeLeft : QString();
    setAccessibleDescription(QStringLiteral("%1. %2").arg(m_facts, about()));
    if (!preview)
        return;
    if (m_title.isEmpty()) {
        setText(QString::fromStdString(preview->study.name));
        setAccessibleName(text());
    }
    if (m_picture == Picture::Claims)
        m_thumbnail = drawClaims(kThumbnail, devicePixelRatioF(), palette());
    else if (!m_isRunning || m_thumbnail.isNull()) // a picture of its models takes a while
        m_thumbnail = widgets::studyPicture(preview->study, kThumbnail, devicePixelRatioF(), palette());
}

void StudyCard::followRunner()
{
    if (!m_isRunning && !isBeingRun(m_path))
        return;
    readStudy();
    update();
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
    const int aboutHeight = about().isEmpty() ? 0 : std::min(3 * line, area.height() - 2 * line - 2);
    const int top = area.top() + (area.height() - 2 * line - aboutHeight) / 2;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRect(area.left(), top, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(text(), Qt::ElideRight, area.width()));
    painter.setFont(font());
    painter.setPen(m_isRunning ? widgets::plotColors(palette()).accent
                               : palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(area.left(), top + line, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_facts, Qt::ElideRight, area.width()));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(area.left(), top + 2 * line + 2, area.width(), aboutHeight),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, about());
}

void StudyCard::changeEvent(QEvent* event)
{
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_isRead = false;
}

void StudyCard::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Delete)
        emit removeRequested();
    else if (isEnter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

} // namespace quadric::app
