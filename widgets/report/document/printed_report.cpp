// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/printed_report.h"

#include "widgets/plots/base/plot.h"
#include "widgets/report/print/print_table.h"
#include "widgets/text/wording.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kDpi = 96.0;
constexpr double kSideMargin = 64.0;
constexpr double kTopMargin = 80.0;
constexpr double kBottomMargin = 72.0;
constexpr double kHeaderTop = 40.0;
constexpr double kFooterRise = 48.0; ///< of the footer's top above the lower edge of the page
constexpr double kFigureGap = 16.0;
const QColor kText(0x20, 0x20, 0x20);
const QColor kMuted(0x59, 0x59, 0x59);
const QColor kRule(0xc0, 0xc0, 0xc0);
const QColor kWatermark(0xfc, 0xf4, 0xf0);
const QColor kMark(0xb0, 0x3a, 0x00); ///< vermilion, dark enough for text on white

QSizeF computePageSize(const ReportOptions& options)
{
    return paperSize(options).size(QPageSize::Inch) * kDpi;
}

} // namespace

QPageSize paperSize(const ReportOptions& options)
{
    return QPageSize(options.letterPaper ? QPageSize::Letter : QPageSize::A4);
}

QSizeF computeTextArea(const ReportOptions& options)
{
    const QSizeF page = computePageSize(options);
    return {page.width() - 2 * kSideMargin, page.height() - kTopMargin - kBottomMargin};
}

PrintedReport::PrintedReport(ReportContent content, const ReportOptions& options)
    : m_page(computePageSize(options))
    , m_content(std::move(content))
    , m_flow(m_content, computeTextArea(options))
{
}

PrintedReport::PrintedReport(ReportContent content, const ReportOptions& options, PageFlow flow)
    : m_page(computePageSize(options))
    , m_content(std::move(content))
    , m_flow(std::move(flow))
{
}

void PrintedReport::paint(QPainter& painter, int page) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF({0, 0}, m_page), Qt::white);
    if (m_content.isSimulated)
        paintWatermark(painter);
    paintMargins(painter, page);
    painter.translate(kSideMargin, kTopMargin);
    for (const PlacedItem& item : m_flow.pages()[static_cast<std::size_t>(page)])
        paintItem(painter, item);
    painter.restore();
}

std::vector<OutlineEntry> PrintedReport::outline() const
{
    std::vector<OutlineEntry> entries;
    for (std::size_t page = 0; page < m_flow.pages().size(); ++page)
        for (const PlacedItem& placed : m_flow.pages()[page])
            if (const auto* heading = std::get_if<HeadingBlock>(&m_flow.items()[placed.item]))
                entries.push_back({heading->text, std::max(heading->level - 1, 0), static_cast<int>(page),
                                   (m_page.height() - kTopMargin - placed.place.top()) * kPointsPerPixel});
    return entries;
}

/// Large and pale across the page, as outlines, so that it neither hides nor mixes with the text.
void PrintedReport::paintWatermark(QPainter& painter) const
{
    constexpr double kPixels = 92.0;
    constexpr double kDegrees = -55.0;
    QPainterPath words;
    words.addText(0, 0, printFont(kPixels, true), tr("SIMULATED DATA"));
    painter.save();
    painter.translate(QRectF({0, 0}, m_page).center());
    painter.rotate(kDegrees);
    painter.translate(-words.boundingRect().center());
    painter.fillPath(words, kWatermark);
    painter.restore();
}

void PrintedReport::paintMargins(QPainter& painter, int page) const
{
    const double width = m_page.width() - 2 * kSideMargin;
    const QRectF header(kSideMargin, kHeaderTop, width, 16);
    const QRectF footer(kSideMargin, m_page.height() - kFooterRise, width, 16);
    const QFont font = printFont(11);
    if (page > 0)
        drawText(painter, header, m_content.title, font, kMuted);
    drawText(painter, header, m_content.date, font, kMuted, Qt::AlignRight);
    if (m_content.isSimulated)
        drawText(painter, header, tr("SIMULATED DATA"), printFont(11, true), kMark, Qt::AlignHCenter);
    drawText(painter, footer,
             m_content.author.isEmpty() ? QStringLiteral("Quadric")
                                        : m_content.author + QStringLiteral(" · Quadric"),
             font, kMuted);
    drawText(painter, footer, tr("Page %1 of %2").arg(page + 1).arg(pageCount()), font, kMuted,
             Qt::AlignRight);
    painter.setPen(QPen(kRule, 0.5));
    painter.drawLine(QPointF(kSideMargin, footer.top() - 8), QPointF(kSideMargin + width, footer.top() - 8));
}

void PrintedReport::paintItem(QPainter& painter, const PlacedItem& placed) const
{
    const FlowItem& item = m_flow.items()[placed.item];
    if (const auto* heading = std::get_if<HeadingBlock>(&item)) {
        drawText(painter, placed.place, heading->text, blockFont(*heading), kText);
    } else if (const auto* paragraph = std::get_if<ParagraphBlock>(&item)) {
        const double indent = paragraphIndent(*paragraph);
        if (indent > 0)
            drawText(painter, placed.place, QStringLiteral("•"), blockFont(*paragraph), kText);
        const bool isSmall = paragraph->kind == ParagraphBlock::Kind::Small;
        drawText(painter, placed.place.adjusted(indent, 0, 0, 0), paragraph->text, blockFont(*paragraph),
                 isSmall ? kMuted : kText);
    } else if (const auto* table = std::get_if<PrintTable>(&item)) {
        table->paint(painter, placed.place.topLeft(), placed.firstRow, placed.lastRow);
    } else {
        paintFigure(painter, placed.place, std::get<FigureBlock>(item));
    }
}

void PrintedReport::paintFigure(QPainter& painter, const QRectF& place, const FigureBlock& figure) const
{
    const auto count = static_cast<double>(figure.plots.size());
    const double width = (place.width() - (count - 1) * kFigureGap) / count;
    const double titleHeight = figure.titles.isEmpty() ? 0.0 : kFigureTitleHeight;
    for (std::size_t i = 0; i < figure.plots.size(); ++i) {
        const double x = place.left() + static_cast<double>(i) * (width + kFigureGap);
        drawText(painter, {x, place.top(), width, titleHeight},
                 figure.titles.value(static_cast<qsizetype>(i)), printFont(12, true), kText);
        painter.save();
        figure.plots[i]->paintTo(
            painter, QRectF(x, place.top(), width, figure.height).adjusted(0, titleHeight, 0, 0), true);
        painter.restore();
    }
    const QRectF caption(place.left(), place.top() + figure.height + 4, place.width(), 32);
    drawText(painter, caption, figure.caption, printFont(kFigureCaptionPixels), kMuted);
}

} // namespace quadric::widgets
