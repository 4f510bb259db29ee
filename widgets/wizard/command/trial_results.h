// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/proposal/pattern_proposal.h"
#include "core/run/words/trial_report.h"
#include "core/study/study.h"

#include <QWidget>

class QButtonGroup;
class QLabel;
class QPushButton;
class QRadioButton;

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
    bool hasAll() const;

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

} // namespace quadric::widgets
