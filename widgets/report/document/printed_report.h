// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/document/page_flow.h"
#include "widgets/report/print/pdf_outline.h"

#include <QPageSize>

namespace quadric::widgets {

/// A report as it prints: pages of vectors that any painter can draw, the PDF's and the screen's alike.
class PrintedReport {
public:
    static constexpr double kPointsPerPixel = 0.75; ///< 72 dpi of a PDF over 96 of the pages

    PrintedReport(ReportContent content, const ReportOptions& options);
    /// `flow`: the content on pages with a text area of computeTextArea(options).
    PrintedReport(ReportContent content, const ReportOptions& options, PageFlow flow);

    int pageCount() const { return static_cast<int>(m_flow.pages().size()); }
    /// Logical pixels at 96 dpi.
    QSizeF pageSize() const { return m_page; }
    const QString& title() const { return m_content.title; }
    void paint(QPainter& painter, int page) const;
    /// Where every heading stands, for bookmarks.
    std::vector<OutlineEntry> outline() const;

private:
    void paintWatermark(QPainter& painter) const;
    void paintMargins(QPainter& painter, int page) const;
    void paintItem(QPainter& painter, const PlacedItem& item) const;
    void paintFigure(QPainter& painter, const QRectF& place, const FigureBlock& figure) const;

    QSizeF m_page;
    ReportContent m_content;
    PageFlow m_flow;
};

QPageSize paperSize(const ReportOptions& options);

/// Between the margins, in logical pixels.
QSizeF computeTextArea(const ReportOptions& options);

} // namespace quadric::widgets
