// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/page_flow.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kBulletIndent = 16.0;
constexpr double kCaptionGap = 4.0; ///< between plots and caption

constexpr std::size_t kFewestRows = 3; ///< a table leaves at least so many rows on either side of a break
constexpr double kWholeTableShare =
    0.25;                         ///< tables shorter than this share of the page are not broken at all
constexpr double kFullPage = 0.5; ///< share from which a chapter begins on a page of its own

bool isShort(double height, const QSizeF& area)
{
    return height < kWholeTableShare * area.height();
}

/// Rows [first, last), with what stands above the first and below the last of all.
double computeRowsHeight(const PrintTable& table, std::size_t first, std::size_t last)
{
    double height = table.headerHeight() + (first == 0 ? table.captionHeight() : 0.0) +
                    (last == table.rowCount() ? table.noteHeight() : 0.0);
    for (std::size_t row = first; row < last; ++row)
        height += table.rowHeight(row);
    return height;
}

/// How many rows from `first` on have room.
std::size_t countFittingRows(const PrintTable& table, std::size_t first, double room)
{
    std::size_t last = first;
    while (last < table.rowCount() && computeRowsHeight(table, first, last + 1) <= room)
        ++last;
    const std::size_t rows = last - first, behind = table.rowCount() - last;
    const bool leavesFew = behind > 0 && behind < kFewestRows && rows > 2 * kFewestRows;
    return std::max<std::size_t>(leavesFew ? rows - (kFewestRows - behind) : rows, 1);
}

double tableHeight(const PrintTable& table)
{
    return computeRowsHeight(table, 0, table.rowCount());
}

bool keepsWithNext(const FlowItem& item)
{
    const auto* paragraph = std::get_if<ParagraphBlock>(&item);
    return std::holds_alternative<HeadingBlock>(item) || (paragraph != nullptr && paragraph->keepsWithNext);
}

} // namespace

QFont blockFont(const HeadingBlock& heading)
{
    constexpr double kPixels[] = {28, 18, 14};
    return printFont(kPixels[std::clamp(heading.level, 0, 2)], true);
}

QFont blockFont(const ParagraphBlock& paragraph)
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

double paragraphIndent(const ParagraphBlock& paragraph)
{
    return paragraph.kind == ParagraphBlock::Kind::Bullet ? kBulletIndent : 0.0;
}

double captionHeight(const FigureBlock& figure, double width)
{
    return figure.caption.isEmpty()
               ? 0.0
               : kCaptionGap + textHeight(figure.caption, printFont(kFigureCaptionPixels), width);
}

double spaceBefore(const FlowItem& item)
{
    if (const auto* heading = std::get_if<HeadingBlock>(&item))
        return heading->level <= 1 ? 24 : 16;
    const auto* paragraph = std::get_if<ParagraphBlock>(&item);
    if (paragraph == nullptr || paragraph->keepsWithNext)
        return 16;
    return paragraph->kind == ParagraphBlock::Kind::Bullet ? 4 : 8;
}

PageFlow::PageFlow(const QSizeF& textArea)
    : m_area(textArea)
    , m_pages(1)
{
}

PageFlow::PageFlow(const ReportContent& content, const QSizeF& textArea)
    : PageFlow(textArea)
{
    for (const ReportBlock& block : content.blocks)
        add(block);
    while (placeNext()) {
    }
}

void PageFlow::add(const ReportBlock& block)
{
    if (const auto* heading = std::get_if<HeadingBlock>(&block))
        m_items.emplace_back(*heading);
    else if (const auto* paragraph = std::get_if<ParagraphBlock>(&block))
        m_items.emplace_back(*paragraph);
    else if (const auto* figure = std::get_if<FigureBlock>(&block))
        m_items.emplace_back(*figure);
    else
        for (PrintTable& part : PrintTable::fitted(std::get<TableBlock>(block).table, m_area.width()))
            m_items.emplace_back(std::move(part));
}

bool PageFlow::placeNext()
{
    if (m_next == m_items.size())
        return false;
    place(m_next++);
    return true;
}

void PageFlow::newPage()
{
    m_pages.emplace_back();
    m_y = 0;
}

double PageFlow::height(const FlowItem& item) const
{
    if (const auto* heading = std::get_if<HeadingBlock>(&item))
        return textHeight(heading->text, blockFont(*heading), m_area.width());
    if (const auto* paragraph = std::get_if<ParagraphBlock>(&item))
        return textHeight(paragraph->text, blockFont(*paragraph),
                          m_area.width() - paragraphIndent(*paragraph));
    if (const auto* figure = std::get_if<FigureBlock>(&item))
        return figure->height + captionHeight(*figure, m_area.width());
    return tableHeight(std::get<PrintTable>(item));
}

double PageFlow::leadHeight(std::size_t index) const
{
    const FlowItem& item = m_items[index];
    if (keepsWithNext(item))
        return height(item) +
               (index + 1 < m_items.size() ? spaceBefore(m_items[index + 1]) + leadHeight(index + 1) : 0.0);
    if (const auto* figure = std::get_if<FigureBlock>(&item))
        return figure->lowest * figure->height + captionHeight(*figure, m_area.width());
    const auto* table = std::get_if<PrintTable>(&item);
    return table == nullptr ? height(item) : leadHeight(*table);
}

double PageFlow::leadHeight(const PrintTable& table) const
{
    if (const double whole = tableHeight(table); isShort(whole, m_area))
        return whole;
    double lead = table.captionHeight() + table.headerHeight();
    for (std::size_t row = 0; row < std::min(kFewestRows, table.rowCount()); ++row)
        lead += table.rowHeight(row);
    return lead;
}

bool PageFlow::startsPage(const FlowItem& item) const
{
    const auto* heading = std::get_if<HeadingBlock>(&item);
    if (heading == nullptr || isPageEmpty())
        return false;
    return heading->isOnTop || (heading->startsPage && m_y > kFullPage * m_area.height());
}

bool PageFlow::hasRoom(std::size_t index) const
{
    return isPageEmpty() || spaceBefore(m_items[index]) + leadHeight(index) <= left();
}

void PageFlow::place(std::size_t index)
{
    FlowItem& item = m_items[index];
    if (startsPage(item) || !hasRoom(index))
        newPage();
    if (!isPageEmpty())
        m_y += spaceBefore(item);
    if (const auto* table = std::get_if<PrintTable>(&item))
        return placeTable(index, *table);
    if (auto* figure = std::get_if<FigureBlock>(&item))
        return placeFigure(index, *figure);
    const double tall = height(item);
    m_pages.back().push_back({index, {0, m_y, m_area.width(), tall}, 0, 0});
    m_y += tall;
}

/// A plot is drawn a little lower where that saves a page.
void PageFlow::placeFigure(std::size_t index, FigureBlock& figure)
{
    const double caption = captionHeight(figure, m_area.width());
    figure.height = std::min(figure.height, left() - caption);
    m_pages.back().push_back({index, {0, m_y, m_area.width(), figure.height + caption}, 0, 0});
    m_y += figure.height + caption;
}

void PageFlow::placeTable(std::size_t index, const PrintTable& table)
{
    for (std::size_t first = 0; first < table.rowCount();) {
        if (first > 0)
            newPage();
        const std::size_t last = first + countFittingRows(table, first, left());
        const double tall = computeRowsHeight(table, first, last);
        m_pages.back().push_back({index, {0, m_y, m_area.width(), tall}, first, last});
        m_y += tall;
        first = last;
    }
}

} // namespace quadric::widgets
