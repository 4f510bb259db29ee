// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/proposal/pattern_proposal.h"
#include "core/run/words/events.h"
#include "core/study/study.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QWidget>

#include <algorithm>

class QButtonGroup;
class QLabel;
class QPushButton;
class QRadioButton;
class QTimer;

namespace quadric::widgets {

/// What a test has read: a row for each response with its value and its pattern. The row that is chosen gets
/// the number that is picked next; a row without a value offers the line that has its name.
class TrialResults : public QWidget {
    Q_OBJECT

public:
    explicit TrialResults(const study::Study& study, QWidget* parent = nullptr);

    /// Shows what `parse` reads in the output.
    void showReading(const study::ParseSpec& parse, const run::TrialReport& report, const QStringList& lines);

    /// The response that a picked number is for.
    const study::Response& chosen() const;
    /// Chooses the next response without a value, if there is one.
    void chooseNext();
    bool hasAll() const { return std::ranges::all_of(m_rows, &Row::isFound); }

    /// The response would be read from this line.
    struct Offer {
        std::string response;
        run::OutputPlace place;
    };

signals:
    void choiceChanged();
    void offerTaken(const quadric::widgets::TrialResults::Offer& offer);

private:
    struct Row {
        QRadioButton* choice;
        QLabel* value;
        QLabel* pattern;
        QPushButton* offer;
        std::optional<run::OutputPlace> place; ///< that is offered
        bool isFound = false;
    };

    void addRow(std::size_t index);
    void showRow(std::size_t index, const study::ParseSpec& parse, const run::TrialReport& report,
                 const QStringList& lines);

    void showRelated(Row& row);

    study::Study m_study;
    QButtonGroup* m_choices;
    std::vector<Row> m_rows;
};

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
