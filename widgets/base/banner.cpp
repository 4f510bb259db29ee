// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/banner.h"

#include "widgets/base/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace quadric::widgets {

namespace {

constexpr double kTint = 0.14;

QColor colorOf(Banner::Tone tone, const PlotColors& colors)
{
    switch (tone) {
    case Banner::Tone::Good:
        return colors.good;
    case Banner::Tone::Warning:
        return colors.warning;
    case Banner::Tone::Error:
        return colors.error;
    case Banner::Tone::News:
        break;
    }
    return colors.accent;
}

} // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , m_mark(new QLabel(this))
    , m_words(new QLabel(this))
    , m_row(new QHBoxLayout(this))
{
    setAutoFillBackground(true);
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_row->setContentsMargins(16, 8, 8, 8);
    m_row->setSpacing(8);
    m_row->addWidget(m_mark);
    m_row->addWidget(m_words, 1);
}

void Banner::setTone(Tone tone, const QString& mark)
{
    m_tone = tone;
    m_mark->setText(mark);
    colorAgain();
}

void Banner::setWords(const QString& words)
{
    m_words->setText(words);
}

QString Banner::words() const
{
    return m_words->text();
}

QPushButton* Banner::addButton(const char* name, const QString& text)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    m_row->addWidget(button);
    return button;
}

void Banner::colorAgain()
{
    const QPalette outer = parentWidget() ? parentWidget()->palette() : palette();
    const PlotColors colors = plotColors(outer);
    const QColor color = colorOf(m_tone, colors);
    QPalette tinted = outer;
    tinted.setColor(QPalette::Window, blend(color, colors.background, kTint));
    if (tinted.color(QPalette::Window) == palette().color(QPalette::Window))
        return;
    setPalette(tinted);
    QPalette mark = tinted;
    mark.setColor(QPalette::WindowText, color);
    m_mark->setPalette(mark);
}

void Banner::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ParentChange || event->type() == QEvent::ApplicationPaletteChange)
        colorAgain();
}

} // namespace quadric::widgets
