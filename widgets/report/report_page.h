// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/report/document/report.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QScrollArea;

namespace quadric::widgets {

class PagePreview;
class PrintedReport;

/// The preview of a report with how many pages there are, where to go and how large they are shown.
class PreviewPanel : public QWidget {
    Q_OBJECT

public:
    explicit PreviewPanel(QWidget* parent = nullptr);
    void setReport(std::unique_ptr<PrintedReport> report);
    /// Shows that the pages are no longer what they will be.
    void markOutdated();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyZoom();
    void zoomBy(int steps);
    void goTo(int heading);

    PagePreview* m_preview;
    QScrollArea* m_scroll;
    QComboBox* m_headings;
    QComboBox* m_zoom;
    QLabel* m_count;
    std::vector<std::pair<int, double>> m_places; ///< page of each heading, and its distance from the top
};

/// The step "Report": the pages as they will print, sections to choose, export as PDF.
class ReportPage : public Page {
    Q_OBJECT

public:
    explicit ReportPage(QWidget* parent = nullptr);
    ~ReportPage() override;
    void setContext(ContextPointer context) override;

    ReportOptions options() const;

public slots:
    /// Writes the report as it is shown. Returns an empty string, or the reason in words why it could not be
    /// written.
    QString exportTo(const QString& path);

signals:
    /// The preview shows what is asked for now.
    void pagesSet();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void showExtent();
    void markOutdated(int pause = 0);
    void beginPages();
    void advanceDraft();
    void askAndExport();

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
