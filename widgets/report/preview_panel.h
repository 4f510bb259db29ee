// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace quadric::widgets
