// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/empty_state.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kTextWidth = 440; ///< about 65 characters, a line that is read at ease

QLabel* makeLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setAlignment(Qt::AlignHCenter);
    label->setWordWrap(true);
    label->setFixedWidth(kTextWidth);
    return label;
}

/// The layout asks how high a label of its own width would be, which is more than the label has.
void fitHeight(QLabel& label)
{
    label.setMinimumHeight(label.heightForWidth(kTextWidth));
}

} // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_title(makeLabel(this))
    , m_sentence(makeLabel(this))
    , m_button(new QPushButton(this))
{
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    m_title->setFont(large);
    m_button->setMinimumSize(160, 40);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(16);
    layout->addStretch(2);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addWidget(m_sentence, 0, Qt::AlignHCenter);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::buttonClicked);
}

void EmptyState::setTexts(const QString& title, const QString& sentence, const QString& button)
{
    m_title->setText(title);
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    fitHeight(*m_title);
    fitHeight(*m_sentence);
}

void EmptyState::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::ApplicationFontChange)
        return;
    fitHeight(*m_title);
    fitHeight(*m_sentence);
}

} // namespace quadric::widgets
