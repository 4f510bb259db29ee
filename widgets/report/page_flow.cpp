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
constexpr double kFigureGap = 4.0; ///< between plots and caption
constexpr double kFullPage = 0.55; ///< share from which a chapter begins on a page of its own

bool isShort(double height, const QSizeF& area)
{
    return height < kWholeTableShare * area.height();
}

double captionHeight(const FigureBlock& figure, double width)
{
    return kFigureGap + textHeight(figure.caption, printFont(kFigureCaptionPixels), width);
}

/// Rows [first, last), with what stands above the first and below the last of all.
double heightOfRows(const PrintTable& table, std::size_t first, std::size_t last)
{
    double height = table.headerHeight() + (first == 0 ? table.captionHeight() : 0.0) +
                    (last == table.rowCount() ? table.noteHeight() : 0.0);
    for (std::size_t row = first; row < last; ++row)
        height += table.rowHeight(row);
    return height;
}

/// How many rows from `first` on have room.
std::size_t rowsThatFit(const PrintTable& table, std::size_t first, double room)
{
    std::size_t last = first;
    while (last < table.rowCount() && heightOfRows(table, first, last + 1) <= room)
        ++last;
    const std::size_t rows = last - first, behind = table.rowCount() - last;
    const bool leavesFew = behind > 0 && behind < kFewestRows && rows > 2 * kFewestRows;
    return std::max<std::size_t>(leavesFew ? rows - (kFewestRows - behind) : rows, 1);
}

double tableHeight(const PrintTable& table)
{
    return heightOfRows(table, 0, table.rowCount());
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
    m_isPlaced.resize(m_items.size());
    for (std::size_t index = 0; index < m_items.size(); ++index)
        if (!m_isPlaced[index])
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
        return figure->height + captionHeight(*figure, m_area.width());
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
    if (const auto* figure = std::get_if<FigureBlock>(&item))
        return figure->lowest * figure->height + captionHeight(*figure, m_area.width());
    const auto* table = std::get_if<PrintTable>(&item);
    if (table == nullptr || isShort(height(item), m_area))
        return height(item);
    double lead = table->captionHeight() + table->headerHeight();
    for (std::size_t row = 0; row < std::min(kFewestRows, table->rowCount()); ++row)
        lead += table->rowHeight(row);
    return lead;
}

bool PageFlow::startsPage(const FlowItem& item) const
{
    const auto* heading = std::get_if<HeadingBlock>(&item);
    return heading != nullptr && heading->startsPage && m_y > kFullPage * m_area.height();
}

bool PageFlow::hasRoom(std::size_t index) const
{
    return isPageEmpty() || spaceBefore(m_items[index]) + leadHeight(index) <= left();
}

/// Of the figures that follow one another, those that still have room on this page where the first has none.
void PageFlow::pullFigures(std::size_t first)
{
    for (std::size_t index = first;
         index < m_items.size() && std::holds_alternative<FigureBlock>(m_items[index]); ++index)
        if (!m_isPlaced[index] && hasRoom(index))
            place(index);
}

void PageFlow::place(std::size_t index)
{
    FlowItem& item = m_items[index];
    if (!hasRoom(index))
        pullFigures(index);
    if (startsPage(item) || !hasRoom(index))
        newPage();
    if (!isPageEmpty())
        m_y += spaceBefore(item);
    m_isPlaced[index] = true;
    if (auto* table = std::get_if<PrintTable>(&item))
        return placeTable(index, *table);
    if (auto* figure = std::get_if<FigureBlock>(&item))
        return placeFigure(index, *figure);
    const double tall = height(item);
    m_pages.back().push_back({index, {0, m_y, m_area.width(), tall}, 0, 0});
    m_y += tall;
}

void PageFlow::placeFigure(std::size_t index, FigureBlock& figure)
{
    const double caption = captionHeight(figure, m_area.width());
    figure.height = std::min(figure.height, left() - caption);
    m_pages.back().push_back({index, {0, m_y, m_area.width(), figure.height + caption}, 0, 0});
    m_y += figure.height + caption;
}

std::vector<std::size_t> PageFlow::partsOf(const PrintTable& table) const
{
    std::vector<std::size_t> parts{0};
    double room = left();
    for (;;) {
        const std::size_t last = parts.back() + rowsThatFit(table, parts.back(), room);
        if (last >= table.rowCount())
            return parts;
        parts.push_back(last);
        room = m_area.height();
    }
}

/// In smaller type where that saves a page on which little would stand.
PrintTable PageFlow::tightened(const PrintTable& table) const
{
    constexpr double kLittle = 0.3; // of a page
    const std::vector<std::size_t> parts = partsOf(table);
    if (parts.size() < 2 || heightOfRows(table, parts.back(), table.rowCount()) > kLittle * m_area.height())
        return table;
    for (PrintTable smaller = table.smaller(); !smaller.isSmallest(); smaller = smaller.smaller())
        if (partsOf(smaller).size() < parts.size())
            return smaller;
    return table;
}

void PageFlow::placeTable(std::size_t index, PrintTable& table)
{
    table = tightened(table);
    const std::vector<std::size_t> parts = partsOf(table);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        if (part > 0)
            newPage();
        const std::size_t last = part + 1 < parts.size() ? parts[part + 1] : table.rowCount();
        const double tall = heightOfRows(table, parts[part], last);
        m_pages.back().push_back({index, {0, m_y, m_area.width(), tall}, parts[part], last});
        m_y += tall;
    }
}

} // namespace quadric::widgets
