// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/page_flow.h"

#include "widgets/report/print_text.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr std::size_t kFewestRows = 3; ///< a table leaves at least so many rows on either side of a break
constexpr double kWholeTableShare =
    0.35; ///< tables shorter than this share of the page are not broken at all
constexpr double kBulletIndent = 16.0;

bool isShort(double height, const QSizeF& area)
{
    return height < kWholeTableShare * area.height();
}

double tableHeight(const PrintTable& table)
{
    double height = table.captionHeight() + table.headerHeight() + table.noteHeight();
    for (std::size_t row = 0; row < table.rowCount(); ++row)
        height += table.rowHeight(row);
    return height;
}

} // namespace

QFont fontOf(const HeadingBlock& heading)
{
    constexpr double kPixels[] = {28, 18, 14};
    return printFont(kPixels[std::clamp(heading.level, 0, 2)], true);
}

QFont fontOf(const ParagraphBlock& paragraph)
{
    switch (paragraph.kind) {
    case ParagraphBlock::Kind::Lead:
        return printFont(15);
    case ParagraphBlock::Kind::Small:
        return printFont(12);
    case ParagraphBlock::Kind::Plain:
    case ParagraphBlock::Kind::Bullet:
        break;
    }
    return printFont(13);
}

double indentOf(const ParagraphBlock& paragraph)
{
    return paragraph.kind == ParagraphBlock::Kind::Bullet ? kBulletIndent : 0.0;
}

PageFlow::PageFlow(const ReportContent& content, const QSizeF& textArea)
    : m_area(textArea)
{
    for (const ReportBlock& block : content.blocks) {
        if (const auto* heading = std::get_if<HeadingBlock>(&block))
            m_items.emplace_back(*heading);
        else if (const auto* paragraph = std::get_if<ParagraphBlock>(&block))
            m_items.emplace_back(*paragraph);
        else if (const auto* figure = std::get_if<FigureBlock>(&block))
            m_items.emplace_back(*figure);
        else
            for (PrintTable& part : PrintTable::fitted(std::get<TableBlock>(block).table, textArea.width()))
                m_items.emplace_back(std::move(part));
    }
    newPage();
    for (std::size_t index = 0; index < m_items.size(); ++index)
        place(index);
}

void PageFlow::newPage()
{
    m_pages.emplace_back();
    m_y = 0;
}

double PageFlow::height(const FlowItem& item) const
{
    if (const auto* heading = std::get_if<HeadingBlock>(&item))
        return textHeight(heading->text, fontOf(*heading), m_area.width());
    if (const auto* paragraph = std::get_if<ParagraphBlock>(&item))
        return textHeight(paragraph->text, fontOf(*paragraph), m_area.width() - indentOf(*paragraph));
    if (const auto* figure = std::get_if<FigureBlock>(&item))
        return figure->height + 4 +
               textHeight(figure->caption, printFont(kFigureCaptionPixels), m_area.width());
    return tableHeight(std::get<PrintTable>(item));
}

double PageFlow::spaceBefore(const FlowItem& item) const
{
    if (const auto* heading = std::get_if<HeadingBlock>(&item))
        return heading->level <= 1 ? 24 : 16;
    if (const auto* paragraph = std::get_if<ParagraphBlock>(&item))
        return paragraph->kind == ParagraphBlock::Kind::Bullet ? 4 : 8;
    return 16;
}

/// The least that must stand on the same page when this item begins.
double PageFlow::leadHeight(std::size_t index) const
{
    const FlowItem& item = m_items[index];
    const auto* paragraph = std::get_if<ParagraphBlock>(&item);
    if (std::holds_alternative<HeadingBlock>(item) || (paragraph != nullptr && paragraph->keepsWithNext))
        return height(item) +
               (index + 1 < m_items.size() ? spaceBefore(m_items[index + 1]) + leadHeight(index + 1) : 0.0);
    const auto* table = std::get_if<PrintTable>(&item);
    if (table == nullptr || isShort(height(item), m_area))
        return height(item);
    double lead = table->captionHeight() + table->headerHeight();
    for (std::size_t row = 0; row < std::min(kFewestRows, table->rowCount()); ++row)
        lead += table->rowHeight(row);
    return lead;
}

void PageFlow::place(std::size_t index)
{
    const FlowItem& item = m_items[index];
    const auto* heading = std::get_if<HeadingBlock>(&item);
    if (!isPageEmpty()) {
        m_y += spaceBefore(item);
        if ((heading != nullptr && heading->startsPage) || leadHeight(index) > left())
            newPage();
    }
    if (const auto* table = std::get_if<PrintTable>(&item)) {
        placeTable(index, *table);
        return;
    }
    const double tall = height(item);
    m_pages.back().push_back({index, {0, m_y, m_area.width(), tall}, 0, 0});
    m_y += tall;
}

/// How many rows from `first` on stand on this page; the note counts with the last row.
std::size_t PageFlow::rowsThatFit(const PrintTable& table, std::size_t first) const
{
    double room = left() - table.headerHeight() - (first == 0 ? table.captionHeight() : 0.0);
    std::size_t rows = 0;
    for (std::size_t row = first; row < table.rowCount(); ++row) {
        room -= table.rowHeight(row) + (row + 1 == table.rowCount() ? table.noteHeight() : 0.0);
        if (room < 0)
            break;
        ++rows;
    }
    const std::size_t behind = table.rowCount() - first - rows;
    if (behind > 0 && behind < kFewestRows && rows > 2 * kFewestRows)
        rows -= kFewestRows - behind;
    return std::max<std::size_t>(rows, 1);
}

void PageFlow::placeTable(std::size_t index, const PrintTable& table)
{
    std::size_t first = 0;
    do {
        if (first > 0)
            newPage();
        const std::size_t last = std::min(table.rowCount(), first + rowsThatFit(table, first));
        double tall = table.headerHeight() + (first == 0 ? table.captionHeight() : 0.0);
        for (std::size_t row = first; row < last; ++row)
            tall += table.rowHeight(row);
        if (last == table.rowCount())
            tall += table.noteHeight();
        m_pages.back().push_back({index, {0, m_y, m_area.width(), tall}, first, last});
        m_y += tall;
        first = last;
    } while (first < table.rowCount());
}

} // namespace quadric::widgets
