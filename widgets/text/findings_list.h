// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"

#include <QWidget>

class QGridLayout;

namespace quadric::widgets {

/// "OK", "check", "problem"; empty for a fact that is none of them.
QString severityText(const report::Finding& finding);

/// Findings in words, one under the other, each with a mark that does not need colors and with what to do.
class FindingsList : public QWidget {
    Q_OBJECT

public:
    explicit FindingsList(QWidget* parent = nullptr);

    void setFindings(const std::vector<report::Finding>& findings);

    /// The findings as they are copied, one line each.
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();

    std::vector<report::Finding> m_findings;
    QGridLayout* m_grid = nullptr;
};

} // namespace quadric::widgets
