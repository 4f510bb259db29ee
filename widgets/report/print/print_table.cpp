// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/print/print_table.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// Breaks the text into lines; returns the height of all of them.
double breakLines(QTextLayout& layout, double width, Qt::Alignment alignment)
{
    QTextOption option(alignment);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    double y = 0;
    layout.beginLayout();
    while (true) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        line.setPosition({0, y});
        y += std::ceil(line.height());
    }
    layout.endLayout();
    return y;
}

constexpr double kCellPadding = 5; ///< left and right
constexpr double kRowPadding = 2;  ///< above and below
constexpr double kCaptionGap = 4;
constexpr double kWidestWord = 200; ///< longer words are broken, so that no word needs more than this
const QColor kCellText(0x20, 0x20, 0x20);
const QColor kMutedText(0x59, 0x59, 0x59);
const QColor kTableRule(0x80, 0x80, 0x80);
const QColor kLightRule(0xe0, 0xe0, 0xe0);

/// Ways to set a table, best first: size of the type in pixels, and up to which width texts stay on one line.
struct Setting {
    double pixels = 12.0, unbroken = 0.0;
};
constexpr Setting kSettings[] = {{12, 120}, {11, 120}, {12, 0}, {11, 0}, {10, 0}, {9, 0}};

struct Widths {
    double narrowest = 0.0, widest = 0.0;
};

double longestWord(const QString& text, const QFontMetricsF& metrics)
{
    double longest = 0;
    for (const QString& word : text.split(QLatin1Char(' ')))
        longest = std::max(longest, metrics.horizontalAdvance(word));
    return std::min(longest, kWidestWord);
}

/// Numbers stay on one line; words may wrap.
Widths widthsOf(const TextTable& table, std::size_t column, double pixels, double unbroken)
{
    const QFontMetricsF bold(printFont(pixels, true));
    const QFontMetricsF plain(printFont(pixels));
    const QString& title = table.columns[column].title;
    Widths widths{longestWord(title, bold), bold.horizontalAdvance(title)};
    for (const QStringList& row : table.rows) {
        const QString& cell = row.value(static_cast<qsizetype>(column));
        const double full = plain.horizontalAdvance(cell);
        widths.widest = std::max(widths.widest, full);
        widths.narrowest =
            std::max(widths.narrowest,
                     table.columns[column].isNumber || full < unbroken ? full : longestWord(cell, plain));
    }
    constexpr double kRounding = 1.0;
    return {widths.narrowest + 2 * kCellPadding + kRounding, widths.widest + 2 * kCellPadding + kRounding};
}

TextTable selectColumns(const TextTable& table, const std::vector<std::size_t>& columns)
{
    TextTable part;
    part.caption = table.caption;
    part.note = table.note;
    for (const std::size_t column : columns)
        part.columns.push_back(table.columns[column]);
    for (const QStringList& row : table.rows) {
        QStringList cells;
        for (const std::size_t column : columns)
            cells << row.value(static_cast<qsizetype>(column));
        part.rows.push_back(cells);
    }
    return part;
}

} // namespace

QFont printFont(double pixels, bool isBold)
{
    QFont font = QApplication::font();
    font.setPixelSize(static_cast<int>(std::lround(pixels)));
    font.setBold(isBold);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

double textHeight(const QString& text, const QFont& font, double width)
{
    QTextLayout layout(text, font);
    return breakLines(layout, width, Qt::AlignLeft);
}

void drawText(QPainter& painter, const QRectF& target, const QString& text, const QFont& font,
              const QColor& color, Qt::Alignment alignment)
{
    QTextLayout layout(text, font, painter.device());
    breakLines(layout, target.width(), alignment);
    painter.setPen(color);
    layout.draw(&painter, target.topLeft());
}

PrintTable::PrintTable(const TextTable& table, double width)
    : m_table(table)
    , m_width(width)
{
    for (const Setting& setting : kSettings)
        if (trySetting(setting.pixels, setting.unbroken))
            break;
    setHeights();
}

/// Columns get what they need; what is left is shared by how much more they could use.
bool PrintTable::trySetting(double pixels, double unbroken)
{
    m_fontPixels = pixels;
    m_columnWidths.clear();
    std::vector<Widths> widths;
    double narrowest = 0, widest = 0;
    for (std::size_t column = 0; column < m_table.columns.size(); ++column) {
        widths.push_back(widthsOf(m_table, column, pixels, unbroken));
        narrowest += widths.back().narrowest;
        widest += widths.back().widest;
    }
    m_fits = narrowest <= m_width;
    const double share =
        widest > narrowest ? std::clamp((m_width - narrowest) / (widest - narrowest), 0.0, 1.0) : 0.0;
    for (const Widths& each : widths)
        m_columnWidths.push_back(each.narrowest + share * (each.widest - each.narrowest));
    return m_fits;
}

void PrintTable::setHeights()
{
    const auto heightOf = [this](const QStringList& cells, const QFont& font) {
        double height = 0;
        for (std::size_t column = 0; column < m_columnWidths.size(); ++column)
            height = std::max(height, textHeight(cells.value(static_cast<qsizetype>(column)), font,
                                                 m_columnWidths[column] - 2 * kCellPadding));
        return height + 2 * kRowPadding;
    };
    QStringList titles;
    for (const TextColumn& column : m_table.columns)
        titles << column.title;
    m_headerHeight = heightOf(titles, printFont(m_fontPixels, true));
    m_rowHeights.clear();
    for (const QStringList& row : m_table.rows)
        m_rowHeights.push_back(heightOf(row, printFont(m_fontPixels)));
}

std::vector<PrintTable> PrintTable::fitted(const TextTable& table, double width)
{
    PrintTable whole(table, width);
    if (whole.fits() || table.columns.size() < 3)
        return {whole};
    std::vector<PrintTable> parts;
    std::vector<std::size_t> columns{0};
    for (std::size_t column = 1; column < table.columns.size(); ++column) {
        columns.push_back(column);
        if (columns.size() > 2 && !PrintTable(selectColumns(table, columns), width).fits()) {
            columns.pop_back();
            parts.emplace_back(selectColumns(table, columns), width);
            columns = {0, column};
        }
    }
    parts.emplace_back(selectColumns(table, columns), width);
    return parts;
}

double PrintTable::captionHeight() const
{
    return m_table.caption.isEmpty()
               ? 0.0
               : textHeight(m_table.caption, printFont(13, true), m_width) + kCaptionGap;
}

double PrintTable::noteHeight() const
{
    return m_table.note.isEmpty() ? 0.0 : textHeight(m_table.note, printFont(11), m_width) + kCaptionGap;
}

void PrintTable::paint(QPainter& painter, const QPointF& at, std::size_t first, std::size_t last) const
{
    double y = at.y();
    if (first == 0 && !m_table.caption.isEmpty()) {
        drawText(painter, {at.x(), y, m_width, captionHeight()}, m_table.caption, printFont(13, true),
                 kCellText);
        y += captionHeight();
    }
    QStringList titles;
    for (const TextColumn& column : m_table.columns)
        titles << column.title;
    y += paintRow(painter, {at.x(), y}, titles, m_headerHeight, true);
    for (std::size_t row = first; row < last; ++row)
        y += paintRow(painter, {at.x(), y}, m_table.rows[row], m_rowHeights[row], false);
    if (last == rowCount() && !m_table.note.isEmpty())
        drawText(painter, {at.x(), y + kCaptionGap, m_width, noteHeight()}, m_table.note, printFont(11),
                 kMutedText);
}

double PrintTable::paintRow(QPainter& painter, const QPointF& at, const QStringList& cells, double height,
                            bool isHeader) const
{
    const QFont font = printFont(m_fontPixels, isHeader);
    double x = at.x();
    for (std::size_t column = 0; column < m_columnWidths.size(); ++column) {
        const QString cell = cells.value(static_cast<qsizetype>(column));
        const double inside = m_columnWidths[column] - 2 * kCellPadding;
        const double top =
            isHeader ? at.y() + height - kRowPadding - textHeight(cell, font, inside) : at.y() + kRowPadding;
        drawText(painter, {x + kCellPadding, top, inside, height}, cell, font,
                 isHeader ? kMutedText : kCellText,
                 m_table.columns[column].isNumber ? Qt::AlignRight : Qt::AlignLeft);
        x += m_columnWidths[column];
    }
    painter.setPen(QPen(isHeader ? kTableRule : kLightRule, isHeader ? 1.0 : 0.5));
    painter.drawLine(QPointF(at.x(), at.y() + height), QPointF(x, at.y() + height));
    return height;
}

} // namespace quadric::widgets
