// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/report/document/report.h"

#include <memory>

namespace quadric::widgets {

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
    void takeSteps();
    void askAndExport();

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
