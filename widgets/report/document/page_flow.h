// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/document/report_content.h"
#include "widgets/report/print/print_table.h"

#include <QRectF>

#include <variant>
#include <vector>

namespace quadric::widgets {

/// What falls onto pages: a block of the report, or a part of one that is too wide.
using FlowItem = std::variant<HeadingBlock, ParagraphBlock, PrintTable, FigureBlock>;

/// Type and indent of text blocks, shared by flow and painting.
QFont blockFont(const HeadingBlock& heading);
QFont blockFont(const ParagraphBlock& paragraph);
double paragraphIndent(const ParagraphBlock& paragraph);
inline constexpr double kFigureCaptionPixels = 11.0;

/// All lengths in logical pixels. Below a plot, with the gap above it; 0 without a caption.
double captionHeight(const FigureBlock& figure, double width);

/// Between the item and the one before it.
double spaceBefore(const FlowItem& item);

/// Something with a place on a page; tables may have only some of their rows there.
struct PlacedItem {
    std::size_t item = 0; ///< index in PageFlow::items()
    QRectF place;         ///< logical pixels inside the text area
    std::size_t firstRow = 0, lastRow = 0;
};

/// Lets the blocks of a report fall onto pages: headings stay with what follows, plots stay whole and are
/// drawn a little lower where that saves a page, tables break between rows and never leave a header or a
/// single row behind, and a chapter begins on the page on which the last one ends where that is nearly empty.
class PageFlow {
public:
    /// Sets a whole report.
    PageFlow(const ReportContent& content, const QSizeF& textArea);

    /// For setting a report step by step: first all blocks are added, then the items are placed.
    explicit PageFlow(const QSizeF& textArea);
    void add(const ReportBlock& block);
    /// Places the next item; false when all are placed.
    bool placeNext();

    const std::vector<FlowItem>& items() const { return m_items; }
    const std::vector<std::vector<PlacedItem>>& pages() const { return m_pages; }

private:
    double height(const FlowItem& item) const;
    /// The least that must stand on the same page when this begins.
    double leadHeight(std::size_t index) const;
    double leadHeight(const PrintTable& table) const;
    bool startsPage(const FlowItem& item) const;
    double left() const { return m_area.height() - m_y; }
    bool isPageEmpty() const { return m_pages.back().empty(); }
    void newPage();
    bool hasRoom(std::size_t index) const;
    void place(std::size_t index);
    void placeFigure(std::size_t index, FigureBlock& figure);
    void placeTable(std::size_t index, const PrintTable& table);

    QSizeF m_area;
    std::vector<FlowItem> m_items;
    std::size_t m_next = 0; ///< item to be placed
    std::vector<std::vector<PlacedItem>> m_pages;
    double m_y = 0.0; ///< where the next item goes
};

} // namespace quadric::widgets
