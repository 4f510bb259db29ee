// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/status_line.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace quadric::app {

namespace {

constexpr int kNoticeMs = 10000;

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent)
    , m_warnings(new QToolButton)
    , m_left(widgets::mutedLabel({}))
    , m_right(widgets::mutedLabel({}))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(widgets::kGroupGap, widgets::kGap / 2, widgets::kGroupGap, widgets::kGap / 2);
    layout->addWidget(m_warnings);
    layout->addWidget(m_left, 1);
    layout->addWidget(m_right);
    m_warnings->setAutoRaise(true);
    m_warnings->setFocusPolicy(Qt::StrongFocus);
    m_warnings->setToolTip(tr("Lists the warnings about the models, with what to do about each."));
    m_warnings->hide();
    widgets::nameWidget(m_warnings, "warningsButton", tr("Warnings"));
    connect(m_warnings, &QToolButton::clicked, this, &StatusLine::warningsClicked);
    m_left->setWordWrap(false);
    m_left->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_right->setWordWrap(false);
    widgets::nameWidget(m_left, "statusWords", tr("Status"));
    widgets::nameWidget(m_right, "statusRemaining", tr("Remaining time"));
    m_notice.setSingleShot(true);
    connect(&m_notice, &QTimer::timeout, this, &StatusLine::showWords);
}

void StatusLine::setWords(const QString& words)
{
    m_words = words;
    if (!m_notice.isActive())
        showWords();
}

void StatusLine::setWarnings(int count)
{
    m_warnings->setText(QStringLiteral("▲ ") + widgets::formatCount(count, "warning"));
    m_warnings->setAccessibleName(widgets::formatCount(count, "warning"));
    m_warnings->setVisible(count > 0);
}

void StatusLine::setRemaining(const std::optional<run::TimeLeft>& left)
{
    m_right->setText(left ? widgets::remainingText(left->seconds) : QString());
}

void StatusLine::showNotice(const QString& text)
{
    if (text.isEmpty())
        return;
    m_left->setForegroundRole(QPalette::WindowText);
    m_left->setText(text);
    m_left->setToolTip(text);
    m_notice.start(kNoticeMs);
}

void StatusLine::showWords()
{
    m_left->setForegroundRole(QPalette::PlaceholderText);
    m_left->setText(m_words);
    m_left->setToolTip({});
}

} // namespace quadric::app
