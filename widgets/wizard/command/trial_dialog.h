// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/wizard/command/trial_results.h"

#include <QDialog>
#include <QElapsedTimer>

class QLabel;
class QPushButton;
class QTimer;

namespace quadric::widgets {

class OutputView;

/// What a test of a command gave: the results that were read and everything that the program printed. A click
/// on a number there makes the pattern that reads it.
class TrialDialog : public QDialog {
    Q_OBJECT

public:
    /// `settings` is what is tried.
    TrialDialog(study::Study study, const study::Settings& settings, QWidget* parent = nullptr);
    void setReport(const run::TrialReport& report);

signals:
    /// The program is not waited for any longer.
    void stopRequested();
    /// Results shall be read in this way.
    void parseChosen(const quadric::study::ParseSpec& parse);

private:
    void buildLayout(const study::Settings& settings);
    void pick(const std::string& response, const run::OutputPlace& place);
    void undo();
    void setParse(const study::ParseSpec& parse);
    void showElapsed();
    void showReading();
    void showState();
    void showHint();

    study::Study m_study;
    run::TrialReport m_report;
    std::vector<study::ParseSpec> m_earlier; ///< what *Undo* brings back
    QElapsedTimer m_since;                   ///< the dialog opened: the program runs
    QTimer* m_clock;                         ///< shows it until the report comes
    QLabel* m_state;
    TrialResults* m_results;
    QLabel* m_hint;
    OutputView* m_output;
    QPushButton* m_undo;
    QPushButton* m_stop;
    QPushButton* m_close;
};

} // namespace quadric::widgets
