// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/document/page_flow.h"

#include <QCache>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>
#include <set>

namespace quadric::widgets {

class PrintedReport;

/// A report in the making: written and set in steps so short that a window goes on between them.
class ReportDraft {
public:
    ReportDraft(ContextPointer context, const ReportOptions& options);
    ~ReportDraft();

    /// Takes a step; false when there is none left.
    bool advance();
    /// The report, after the last step.
    std::unique_ptr<PrintedReport> take();

private:
    ContextPointer m_context;
    ReportOptions m_options;
    std::unique_ptr<ReportWriter> m_writer; ///< until everything is written
    ReportContent m_content;
    PageFlow m_flow;
    std::size_t m_added = 0; ///< blocks that the flow has
};

/// The pages of a report one under the other, as wide as the widget allows or at a scale. They are drawn one
/// by one while the window goes on; until a page is drawn anew the old one is shown in its place.
class PagePreview : public QWidget {
    Q_OBJECT

public:
    explicit PagePreview(QWidget* parent = nullptr);
    ~PagePreview() override;
    void setReport(std::unique_ptr<PrintedReport> report);
    const PrintedReport* report() const { return m_report.get(); }

    /// Shows that the pages are no longer what they will be, until the next report is set.
    void markOutdated();
    bool isOutdated() const { return m_isOutdated; }

    /// Pixels for each logical pixel of a page; none: as wide as the widget allows.
    void setScale(std::optional<double> scale);
    /// The scale at which a page with the gaps around it is so high.
    double fitPageScale(int height) const;
    /// How far down in the widget a place of a page is, given in logical pixels from the page's top.
    int verticalPosition(int page, double top) const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct DrawnPage {
        QPixmap pixmap;
        int edition = 0;
    };

    double scaleFor(int width) const;
    QRectF pageRect(int page) const;
    void paintPage(QPainter& painter, int page);
    void paintNotice(QPainter& painter) const;
    void drawWanted();
    QPixmap drawnPage(int page) const;

    std::unique_ptr<PrintedReport> m_report;
    std::optional<double> m_scale;
    bool m_isOutdated = false;
    int m_edition = 0;              ///< goes up when report or scale change
    QCache<int, DrawnPage> m_drawn; ///< some of an older edition
    std::set<int> m_wanted;         ///< pages in sight that are to be drawn
    QTimer m_drawing;
};

} // namespace quadric::widgets
