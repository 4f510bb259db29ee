// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/trial_report.h"
#include "core/study/study.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace quadric::widgets {

/// What a test of a command gave: the results that were read and everything that the program printed.
class TrialDialog : public QDialog {
    Q_OBJECT

public:
    /// `settings` is what is tried.
    TrialDialog(study::Study study, const study::Settings& settings, QWidget* parent = nullptr);
    void setReport(const run::TrialReport& report);

signals:
    /// The program is not waited for any longer.
    void stopRequested();

private:
    study::Study m_study;
    QLabel* m_state;
    QLabel* m_results;
    QPlainTextEdit* m_output;
    QPushButton* m_stop;
};

} // namespace quadric::widgets
