// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/log_panel.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

/// More than Quadric keeps of a log (run::RunLog::kMostLines).
constexpr int kMostLines = 250000;
constexpr int kMostMarks = 1000;
constexpr double kMarkOpacity = 0.35;

} // namespace

LogPanel::LogPanel(QWidget* parent)
    : QWidget(parent)
    , m_search(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_text(new QPlainTextEdit(this))
{
    m_search->setPlaceholderText(
        tr("Search the log (%1)").arg(QKeySequence(QKeySequence::Find).toString(QKeySequence::NativeText)));
    m_search->setAccessibleName(tr("Search the log"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_text->setReadOnly(true);
    m_text->setFont(fixedFont());
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setMaximumBlockCount(kMostLines);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setAccessibleName(tr("Log of the run"));
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_search, 1);
    bar->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(bar);
    layout->addWidget(m_text, 1);
    connect(m_search, &QLineEdit::textChanged, this, &LogPanel::search);
}

void LogPanel::setText(const QString& text, const QString& hint)
{
    QScrollBar* bar = m_text->verticalScrollBar();
    const int before = bar->value();
    const bool isAtEnd = before == bar->maximum();
    m_text->setPlaceholderText(hint);
    m_text->setPlainText(text);
    if (isAtEnd)
        m_text->moveCursor(QTextCursor::End);
    else
        bar->setValue(before);
    m_text->horizontalScrollBar()->setValue(0);
    search();
}

void LogPanel::goToSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void LogPanel::clearSearch()
{
    m_search->clear();
}

void LogPanel::setHint(const QString& hint)
{
    m_text->setPlaceholderText(hint);
}

void LogPanel::append(const QString& text)
{
    QScrollBar* bar = m_text->verticalScrollBar();
    const bool isAtEnd = bar->value() == bar->maximum();
    QTextCursor end(m_text->document());
    end.movePosition(QTextCursor::End);
    end.insertText(text);
    if (isAtEnd)
        bar->setValue(bar->maximum());
    if (!m_search->text().isEmpty())
        search();
}

/// Finds all places anew; the current one stays the current one while it is one.
void LogPanel::search()
{
    const int before = m_current >= 0 && m_current < m_places.size() ? m_places[m_current] : -1;
    m_places.clear();
    const QString words = m_search->text();
    const QString text = words.isEmpty() ? QString() : m_text->toPlainText();
    for (qsizetype at = text.indexOf(words, 0, Qt::CaseInsensitive); at >= 0 && !words.isEmpty();
         at = text.indexOf(words, at + words.size(), Qt::CaseInsensitive))
        m_places << static_cast<int>(at);
    m_current = static_cast<int>(m_places.indexOf(before));
    if (m_current < 0 && !m_places.isEmpty())
        step(1);
    mark();
    showCount();
}

void LogPanel::step(int by)
{
    if (m_places.isEmpty())
        return;
    const auto count = static_cast<int>(m_places.size());
    m_current = m_current < 0 ? 0 : (m_current + by + count) % count;
    QTextCursor cursor(m_text->document());
    cursor.setPosition(m_places[m_current]);
    cursor.setPosition(m_places[m_current] + static_cast<int>(m_search->text().size()),
                       QTextCursor::KeepAnchor);
    m_text->setTextCursor(cursor);
    m_text->ensureCursorVisible();
    showCount();
}

void LogPanel::showCount()
{
    if (m_search->text().isEmpty())
        m_count->clear();
    else if (m_places.isEmpty())
        m_count->setText(tr("not found"));
    else
        m_count->setText(tr("%1 of %2").arg(m_current + 1).arg(m_places.size()));
}

void LogPanel::mark()
{
    QList<QTextEdit::ExtraSelection> marks;
    const QColor ground = blend(plotColors(palette()).warning, palette().color(QPalette::Base), kMarkOpacity);
    for (const int place : m_places.mid(0, kMostMarks)) {
        QTextEdit::ExtraSelection each;
        each.format.setBackground(ground);
        each.cursor = QTextCursor(m_text->document());
        each.cursor.setPosition(place);
        each.cursor.setPosition(place + static_cast<int>(m_search->text().size()), QTextCursor::KeepAnchor);
        marks << each;
    }
    m_text->setExtraSelections(marks);
}

void LogPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        mark();
}

bool LogPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace quadric::widgets
