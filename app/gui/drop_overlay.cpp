// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/drop_overlay.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QPainter>

namespace quadric::app {

namespace {

constexpr int kFrameWidth = 3;
constexpr int kBoxWidth = 480;
constexpr int kGroundAlpha = 200;

} // namespace

DropOverlay::DropOverlay(QWidget& window)
    : QWidget(&window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    widgets::nameWidget(this, "dropOverlay", tr("Drop a file"));
    hide();
}

void DropOverlay::showWords(const QString& words, bool isWelcome)
{
    m_words = words;
    m_isWelcome = isWelcome;
    setAccessibleDescription(words);
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

void DropOverlay::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = palette().color(QPalette::Window);
    ground.setAlpha(kGroundAlpha);
    painter.fillRect(rect(), ground);
    const widgets::PlotColors colors = widgets::plotColors(palette());
    painter.setPen(QPen(m_isWelcome ? colors.accent : colors.warning, kFrameWidth,
                        m_isWelcome ? Qt::SolidLine : Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(8, 8, -8, -8), 8, 8);

    QFont font = painter.font();
    font.setPointSizeF(font.pointSizeF() * 1.25);
    painter.setFont(font);
    const int width = std::min(kBoxWidth, this->width() - 4 * widgets::kPageMargin);
    const int margin = widgets::kGroupGap;
    const QRect most(0, 0, width - 2 * margin, height());
    const QRect words = painter.boundingRect(most, Qt::AlignCenter | Qt::TextWordWrap, m_words);
    QRect box(0, 0, width, words.height() + 2 * margin);
    box.moveCenter(rect().center());
    painter.setPen(QPen(palette().color(QPalette::Mid), 1));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(box, 8, 8);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(box.adjusted(margin, margin, -margin, -margin), Qt::AlignCenter | Qt::TextWordWrap,
                     m_words);
}

} // namespace quadric::app
