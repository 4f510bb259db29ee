// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/notice_bar.h"

#include "widgets/base/style.h"

#include <QHBoxLayout>

namespace quadric::widgets {

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent)
    , m_mark(new QLabel)
    , m_sentence(new QLabel)
    , m_undo(quietButton(tr("U&ndo")))
{
    setObjectName(QStringLiteral("noticeBar"));
    setAttribute(Qt::WA_StyledBackground);
    setStyleSheet(QStringLiteral("#noticeBar { background: palette(alternate-base); border-radius: 4px; }"));
    nameWidget(m_sentence, "noticeSentence", tr("Notice"));
    nameWidget(m_undo, "noticeUndo", tr("Undo the change"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kGap, kGap / 2, kGap, kGap / 2);
    row->setSpacing(kGap);
    row->addWidget(m_mark, 0, Qt::AlignTop);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_undo, 0, Qt::AlignTop);
    connect(m_undo, &QPushButton::clicked, this, &NoticeBar::undoClicked);
    clear();
}

void NoticeBar::say(const QString& sentence, Tone tone, bool canUndo)
{
    m_mark->setText(tone == Tone::Warning ? QStringLiteral("⚠") : QStringLiteral("✓"));
    m_sentence->setText(sentence);
    m_undo->setVisible(canUndo);
    show();
}

void NoticeBar::clear()
{
    m_sentence->clear();
    hide();
}

QString NoticeBar::sentence() const
{
    return m_sentence->text();
}

} // namespace quadric::widgets
