// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"

#include <QString>
#include <QWidget>

class QLabel;
class QGridLayout;
class QPushButton;

namespace quadric::widgets {

/// A label of rich text (with everything from a study escaped) in lines as wide as there is room; can be
/// selected.
QLabel* wrappedLabel(const QString& richText);

/// "OK", "check", "problem"; empty for a fact that is none of them.
QString severityText(const report::Finding& finding);

/// Findings in words, one under the other, each with a mark that does not need colors and with what to do.
class FindingsList : public QWidget {
    Q_OBJECT

public:
    explicit FindingsList(QWidget* parent = nullptr);

    void setFindings(const std::vector<report::Finding>& findings);

    /// From now on a button stands beside each finding that the program can do something about.
    void offerRemedies();

    /// The findings as they are copied, one line each.
    QString text() const;

signals:
    void remedyRequested(const quadric::report::Finding& finding);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    QPushButton* makeButton(const report::Finding& finding);

    std::vector<report::Finding> m_findings;
    QGridLayout* m_grid = nullptr;
    bool m_offersRemedies = false;
};

} // namespace quadric::widgets
