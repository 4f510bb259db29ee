// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QPixmap>
#include <QWidget>

#include <memory>

namespace quadric::widgets {

class PrintedReport;

/// The pages of a report one under the other, as wide as the widget allows.
class PagePreview : public QWidget {
    Q_OBJECT

public:
    explicit PagePreview(QWidget* parent = nullptr);
    ~PagePreview() override;
    void setReport(std::unique_ptr<PrintedReport> report);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    double scaleFor(int width) const;
    QRectF pageRect(int page) const;
    QPixmap pagePixmap(int page);

    std::unique_ptr<PrintedReport> m_report;
    QCache<int, QPixmap> m_pixmaps; ///< drawn pages at the present scale
};

} // namespace quadric::widgets
