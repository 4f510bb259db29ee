// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import/audit.h"
#include "core/plan/study_comparison.h"
#include "widgets/text/text_table.h"

#include <QDialog>

class QTableView;
class QVBoxLayout;
class QLabel;

namespace quadric::widgets {

/// The open study held against another one at the settings that both have measured: one sentence on each
/// response, the numbers, and what changed on the machine. Reads no files: whoever opened it gives the other
/// study.
class StudyComparisonDialog : public QDialog {
    Q_OBJECT

public:
    /// `before` is the reference, `now` the open study.
    StudyComparisonDialog(const study::Study& before, const study::Study& now, QWidget* parent = nullptr);

private:
    void addSentences(QVBoxLayout& layout, const plan::StudyComparison& comparison);
    QTableView* makeTable(const TextTable& table, const char* name);
    QLayout* buildButtons();
    void copy() const;

    QString m_sentences;
    TextTable m_differences, m_changes;
};

/// Somebody's conclusions beside what the runs of the study say, and what the data themselves give away.
/// Reads no files: whoever opened it gives the claims.
class AuditDialog : public QDialog {
    Q_OBJECT

public:
    explicit AuditDialog(study::Study study, QWidget* parent = nullptr);
    void setClaims(const exchange::Claims& claims);

signals:
    void claimsFileWanted();

private:
    QLayout* buildButtons();
    void copy() const;

    study::Study m_study;
    QLabel* m_source;
    QLabel* m_count;
    QTableView* m_view;
    TextTableModel* m_model;
    QLabel* m_findings;
    TextTable m_table;
};

} // namespace quadric::widgets
