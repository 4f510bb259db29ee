// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/page_flow.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kBulletIndent = 16.0;
constexpr double kCaptionGap = 4.0; ///< between plots and caption
constexpr double kHighest = 1.25;   ///< share of its height up to which a plot grows to fill a page

constexpr std::size_t kFewestRows = 3; ///< a table leaves at least so many rows on either side of a break
constexpr double kWholeTableShare =
    0.25;                         ///< tables shorter than this share of the page are not broken at all
constexpr double kFullPage = 0.3; ///< share from which a chapter begins on a page of its own

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
std::size_t rowsThatFit(const PrintTable& table, std::size_t first, double room)
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
    const auto* figure = std::get_if<FigureBlock>(&item);
    if (figure != nullptr && figure->continues)
        return kCaptionGap;
    const auto* paragraph = std::get_if<ParagraphBlock>(&item);
    if (paragraph == nullptr || paragraph->keepsWithNext)
        return 16;
    return paragraph->kind == ParagraphBlock::Kind::Bullet ? 4 : 8;
}

double largestShrinkage(const FlowItem& item)
{
    const auto* figure = std::get_if<FigureBlock>(&item);
    return figure == nullptr ? 0.0 : (1.0 - figure->lowest) * figure->height;
}

double largestGrowth(const FlowItem& item)
{
    const auto* figure = std::get_if<FigureBlock>(&item);
    return figure == nullptr || figure->isFixed() ? 0.0 : (kHighest - 1.0) * figure->height;
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
    m_isPlaced.resize(m_items.size());
}

bool PageFlow::placeNext()
{
    while (m_next < m_items.size() && m_isPlaced[m_next])
        ++m_next;
    if (m_next < m_items.size()) {
        place(m_next++);
        return true;
    }
    if (!m_isSettled)
        distributeRoom(Foot::StaysOpen);
    m_isSettled = true;
    return false;
}

void PageFlow::newPage(Foot foot)
{
    distributeRoom(foot);
    m_pages.emplace_back();
    m_y = m_slack = 0;
}

/// Takes the room that is missing from the plots of the page, or gives them what is left, each its share.
void PageFlow::distributeRoom(Foot foot)
{
    double growth = 0;
    for (const PlacedItem& placed : m_pages.back())
        growth += largestGrowth(m_items[placed.item]);
    double share = 0;
    if (left() < 0)
        share = left() / m_slack;
    else if (foot == Foot::IsFilled && growth > 0)
        share = std::min(left() / growth, 1.0);
    double shift = 0;
    for (PlacedItem& placed : m_pages.back()) {
        FlowItem& item = m_items[placed.item];
        const double change = share * (share < 0 ? largestShrinkage(item) : largestGrowth(item));
        placed.place.moveTop(placed.place.top() + shift);
        placed.place.setHeight(placed.place.height() + change);
        if (auto* figure = std::get_if<FigureBlock>(&item))
            figure->height += change;
        shift += change;
    }
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
    const double room = left() + (canShrinkPlotsFor(index) ? m_slack : 0.0);
    return isPageEmpty() || spaceBefore(m_items[index]) + leadHeight(index) <= room;
}

/// Plots are drawn lower for what is kept whole, not for the first rows of a long table.
bool PageFlow::canShrinkPlotsFor(std::size_t index) const
{
    while (index + 1 < m_items.size() && keepsWithNext(m_items[index]))
        ++index;
    const auto* table = std::get_if<PrintTable>(&m_items[index]);
    return table == nullptr || isShort(tableHeight(*table), m_area);
}

/// Of the figures that follow one another, those that still have room on this page where the first has none.
/// The rows of one figure stay in order, with nothing between them.
void PageFlow::placeFollowingFigures(std::size_t first)
{
    for (std::size_t index = first; index < m_items.size(); ++index) {
        const auto* figure = std::get_if<FigureBlock>(&m_items[index]);
        if (figure == nullptr || figure->continues)
            return;
        if (!m_isPlaced[index] && hasRoom(index))
            place(index);
    }
}

/// The first of the figures below a heading that has room on this page goes before those that have none.
void PageFlow::bringForward(std::size_t heading)
{
    const auto first = m_items.begin() + static_cast<std::ptrdiff_t>(heading) + 1;
    for (auto each = first; each != m_items.end(); ++each) {
        const auto* figure = std::get_if<FigureBlock>(&*each);
        if (figure == nullptr || figure->continues)
            return;
        std::rotate(first, each, each + 1);
        if (hasRoom(heading))
            return;
        std::rotate(first, first + 1, each + 1);
    }
}

void PageFlow::place(std::size_t index)
{
    FlowItem& item = m_items[index];
    if (!hasRoom(index) && std::holds_alternative<HeadingBlock>(item))
        bringForward(index);
    if (!hasRoom(index))
        placeFollowingFigures(index);
    if (startsPage(item))
        newPage(Foot::StaysOpen);
    else if (!hasRoom(index))
        newPage(Foot::IsFilled);
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
    figure.height = std::min(figure.height, m_area.height() - caption);
    m_pages.back().push_back({index, {0, m_y, m_area.width(), figure.height + caption}, 0, 0});
    m_y += figure.height + caption;
    m_slack += largestShrinkage(m_items[index]);
}

std::vector<std::size_t> PageFlow::findTableBreaks(const PrintTable& table) const
{
    std::vector<std::size_t> parts{0};
    // Plots above the table are drawn lower only where its first rows would have no room otherwise.
    double room = leadHeight(table) <= left() ? left() : left() + m_slack;
    for (;;) {
        const std::size_t last = parts.back() + rowsThatFit(table, parts.back(), room);
        if (last >= table.rowCount())
            return parts;
        parts.push_back(last);
        room = m_area.height();
    }
}

/// In smaller type where that saves a page on which little would stand.
PrintTable PageFlow::withFewerPages(const PrintTable& table) const
{
    constexpr double kLittle = 0.3; // of a page
    const std::vector<std::size_t> parts = findTableBreaks(table);
    if (parts.size() < 2 ||
        computeRowsHeight(table, parts.back(), table.rowCount()) > kLittle * m_area.height())
        return table;
    for (PrintTable smaller = table.smaller(); !smaller.isSmallest(); smaller = smaller.smaller())
        if (findTableBreaks(smaller).size() < parts.size())
            return smaller;
    return table;
}

void PageFlow::placeTable(std::size_t index, PrintTable& table)
{
    table = withFewerPages(table);
    const std::vector<std::size_t> parts = findTableBreaks(table);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        if (part > 0)
            newPage(Foot::IsFilled);
        const std::size_t last = part + 1 < parts.size() ? parts[part + 1] : table.rowCount();
        const double tall = computeRowsHeight(table, parts[part], last);
        m_pages.back().push_back({index, {0, m_y, m_area.width(), tall}, parts[part], last});
        m_y += tall;
    }
}

} // namespace quadric::widgets
