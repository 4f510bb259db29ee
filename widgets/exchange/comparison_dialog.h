// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/study_comparison.h"
#include "widgets/text/text_table.h"

#include <QDialog>

class QTableView;
class QVBoxLayout;

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

} // namespace quadric::widgets
