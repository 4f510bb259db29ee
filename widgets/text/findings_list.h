// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/report_card.h"

#include <QWidget>

class QGridLayout;

namespace quadric::widgets {

/// Findings in words, one under the other, each with a mark that does not need colours and with what to do.
class FindingsList : public QWidget {
    Q_OBJECT

public:
    explicit FindingsList(QWidget* parent = nullptr);

    void setFindings(const std::vector<model::ReportCardItem>& findings);

    /// The findings as they are copied, one line each.
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();

    std::vector<model::ReportCardItem> m_findings;
    QGridLayout* m_grid = nullptr;
};

} // namespace quadric::widgets
