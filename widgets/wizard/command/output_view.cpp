// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/output_view.h"

#include "core/run/recipe/result_pattern.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QMouseEvent>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kReadOpacity = 0.25, kHoverOpacity = 0.35;

std::vector<run::PrintedNumber> pickableNumbers(const QString& line)
{
    std::vector<run::PrintedNumber> numbers = run::findPrintedNumbers(line);
    std::erase_if(numbers, &run::PrintedNumber::isInWord);
    return numbers;
}

/// Numbers look as if they could be clicked.
class NumberHighlighter : public QSyntaxHighlighter {
public:
    NumberHighlighter(QTextDocument* document, const QWidget& widget)
        : QSyntaxHighlighter(document)
        , m_widget(widget)
    {
    }

protected:
    void highlightBlock(const QString& text) override
    {
        QTextCharFormat format;
        format.setForeground(m_widget.palette().color(QPalette::Link));
        for (const run::PrintedNumber& number : pickableNumbers(text))
            setFormat(int(number.start), int(number.length), format);
    }

private:
    const QWidget& m_widget;
};

} // namespace

OutputView::OutputView(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setFont(fixedFont());
    setLineWrapMode(QPlainTextEdit::NoWrap);
    viewport()->setMouseTracking(true);
    new NumberHighlighter(document(), *this);
}

void OutputView::setOutput(const QString& output)
{
    m_current.reset();
    m_hovered.reset();
    m_read.clear();
    setPlainText(run::outputLines(output).join(QLatin1Char('\n')));
    showMarks();
}

QStringList OutputView::lines() const
{
    QStringList lines;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        lines << block.text();
    return lines;
}

void OutputView::markRead(const std::vector<run::OutputPlace>& places)
{
    m_read = places;
    showMarks();
}

void OutputView::setCurrent(const std::optional<run::OutputPlace>& place)
{
    m_current = place;
    if (place) {
        QTextCursor cursor(document()->findBlockByNumber(int(place->line)));
        cursor.setPosition(cursor.position() + int(place->number.start));
        setTextCursor(cursor);
        ensureCursorVisible();
    }
    showMarks();
}

std::vector<run::PrintedNumber> OutputView::findPickableNumbers(qsizetype line) const
{
    return pickableNumbers(document()->findBlockByNumber(int(line)).text());
}

std::optional<run::OutputPlace> OutputView::findAt(const QPoint& position) const
{
    const QTextCursor cursor = cursorForPosition(position);
    if (!cursorRect(cursor)
             .adjusted(-fontMetrics().averageCharWidth(), 0, fontMetrics().averageCharWidth(), 0)
             .contains(position))
        return std::nullopt; // beyond the end of the line
    for (const run::PrintedNumber& number : findPickableNumbers(cursor.blockNumber()))
        if (number.start <= cursor.positionInBlock() && cursor.positionInBlock() <= number.end())
            return run::OutputPlace{cursor.blockNumber(), number};
    return std::nullopt;
}

/// The number before or after the current one, on whichever line.
std::optional<run::OutputPlace> OutputView::findBeside(int step) const
{
    if (!m_current)
        return std::nullopt;
    const auto numbers = findPickableNumbers(m_current->line);
    const auto at = std::ranges::find(numbers, m_current->number) - numbers.begin();
    if (at + step >= 0 && at + step < std::ssize(numbers))
        return run::OutputPlace{m_current->line, numbers[size_t(at + step)]};
    for (qsizetype line = m_current->line + step; line >= 0 && line < blockCount(); line += step)
        if (const auto others = findPickableNumbers(line); !others.empty())
            return run::OutputPlace{line, step > 0 ? others.front() : others.back()};
    return std::nullopt;
}

/// The number nearest to the current one on the next line that has any.
std::optional<run::OutputPlace> OutputView::findOnLine(int step) const
{
    qsizetype line = m_current ? m_current->line + step : step > 0 ? 0 : blockCount() - 1;
    const qsizetype column = m_current ? m_current->number.start : 0;
    for (; line >= 0 && line < blockCount(); line += step) {
        const auto numbers = findPickableNumbers(line);
        if (numbers.empty())
            continue;
        return run::OutputPlace{line, *std::ranges::min_element(numbers, {}, [column](const auto& number) {
                                    return std::abs(number.start - column);
                                })};
    }
    return std::nullopt;
}

QTextEdit::ExtraSelection OutputView::select(const run::OutputPlace& place, const QColor& color) const
{
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(document()->findBlockByNumber(int(place.line)));
    const int start = selection.cursor.position() + int(place.number.start);
    selection.cursor.setPosition(start);
    selection.cursor.setPosition(start + int(place.number.length), QTextCursor::KeepAnchor);
    selection.format.setBackground(color);
    return selection;
}

void OutputView::showMarks()
{
    const PlotColors colors = plotColors(palette());
    const QColor base = palette().color(QPalette::Base);
    QList<QTextEdit::ExtraSelection> marks;
    for (const run::OutputPlace& place : m_read)
        marks << select(place, blend(colors.good, base, kReadOpacity));
    if (m_hovered)
        marks << select(*m_hovered, blend(colors.accent, base, kHoverOpacity));
    if (m_current && hasFocus()) {
        marks << select(*m_current, palette().color(QPalette::Highlight));
        marks.back().format.setForeground(palette().color(QPalette::HighlightedText));
    }
    setExtraSelections(marks);
}

void OutputView::mouseMoveEvent(QMouseEvent* event)
{
    QPlainTextEdit::mouseMoveEvent(event);
    const auto under = findAt(event->position().toPoint());
    viewport()->setCursor(under ? Qt::PointingHandCursor : Qt::IBeamCursor);
    if (under == m_hovered)
        return;
    m_hovered = under;
    showMarks();
}

/// A text that was selected to be copied is no number that was picked.
void OutputView::mouseReleaseEvent(QMouseEvent* event)
{
    QPlainTextEdit::mouseReleaseEvent(event);
    const auto under = findAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || textCursor().hasSelection() || !under)
        return;
    setCurrent(under);
    emit numberPicked(*under);
}

void OutputView::leaveEvent(QEvent* event)
{
    QPlainTextEdit::leaveEvent(event);
    m_hovered.reset();
    showMarks();
}

void OutputView::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const int step = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up ? -1 : 1;
    std::optional<run::OutputPlace> next;
    switch (isPlain ? event->key() : 0) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        next = findBeside(step);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        next = findOnLine(step);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current)
            emit numberPicked(*m_current);
        return;
    default:
        return QPlainTextEdit::keyPressEvent(event);
    }
    if (next)
        setCurrent(next);
}

void OutputView::focusInEvent(QFocusEvent* event)
{
    QPlainTextEdit::focusInEvent(event);
    if (!m_current)
        m_current = findOnLine(1);
    showMarks();
}

void OutputView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showMarks();
}

} // namespace quadric::widgets
