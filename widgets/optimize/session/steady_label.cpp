// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/session/steady_label.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QResizeEvent>
#include <QTextLayout>
#include <QToolTip>

#include <algorithm>

namespace quadric::widgets {

SteadyLabel::SteadyLabel(int lines, QWidget* parent)
    : QWidget(parent)
    , m_lines(lines)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SteadyLabel::setText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);
    grow();
    update();
}

void SteadyLabel::setGrowing(bool isGrowing)
{
    m_isGrowing = isGrowing;
    grow();
}

int SteadyLabel::countLines() const
{
    QTextLayout layout(m_text, font());
    layout.beginLayout();
    int lines = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width());
        ++lines;
    }
    layout.endLayout();
    return lines;
}

void SteadyLabel::grow()
{
    const int lines = m_isGrowing ? std::max(m_lines, countLines()) : m_lines;
    if (lines == m_lines)
        return;
    m_lines = lines;
    updateGeometry();
}

/// Another width is a reason to lay out anew anyway.
void SteadyLabel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!m_isGrowing || event->size().width() == event->oldSize().width())
        return;
    m_lines = std::max(m_fewest, countLines());
    updateGeometry();
}

void SteadyLabel::setAlignment(Qt::Alignment alignment)
{
    m_alignment = alignment;
    update();
}

QSize SteadyLabel::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 12, m_lines * fontMetrics().lineSpacing() + 2};
}

void SteadyLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    m_isCut = false;
    QTextLayout layout(m_text, font());
    layout.beginLayout();
    for (int line = 0; line < m_lines; ++line) {
        const QTextLine next = layout.createLine();
        if (!next.isValid())
            break;
        QTextLine shown = next;
        shown.setLineWidth(width());
        QString text = m_text.mid(shown.textStart(), shown.textLength()).trimmed();
        const bool isLast = line + 1 == m_lines && shown.textStart() + shown.textLength() < m_text.size();
        if (isLast || shown.naturalTextWidth() > width()) {
            text = fontMetrics().elidedText(m_text.mid(shown.textStart()), Qt::ElideRight, width());
            m_isCut = true;
        }
        const QRect room(0, line * fontMetrics().lineSpacing(), width(), fontMetrics().lineSpacing());
        painter.drawText(room, static_cast<int>(m_alignment | Qt::AlignVCenter) | Qt::TextSingleLine, text);
    }
    layout.endLayout();
}

void SteadyLabel::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Copy"), this, [this] { QApplication::clipboard()->setText(m_text); });
    menu->popup(event->globalPos());
}

bool SteadyLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !m_isCut)
        return QWidget::event(event);
    const QString words = toolTip().isEmpty() ? m_text : m_text + QStringLiteral("\n\n") + toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), words, this);
    return true;
}

} // namespace quadric::widgets
