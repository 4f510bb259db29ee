// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace quadric::widgets {

class RunSheet;

/// The step Run of a study that launches nothing: how many results are entered, which run is measured next
/// and at which settings, and the runs in run order to type the results into.
class EntrySheet : public QWidget {
    Q_OBJECT

public:
    explicit EntrySheet(QWidget* parent = nullptr);
    void setContext(const ContextPointer& context);
    void pickRuns(const PickedRuns& runs);

    /// Whether the results of the study are typed.
    static bool isFor(const study::Study& study);

signals:
    void changeRequested(const quadric::study::Study& after, const QString& label, const QString& mergeKey);
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    void undoRequested();
    /// All results are entered: the user wants to see what they say.
    void exploreRequested();

private:
    QLayout* buildHeader();
    void act();

    QLabel* m_progress;
    QProgressBar* m_bar;
    QLabel* m_words;
    QPushButton* m_button;
    RunSheet* m_sheet;
    int m_next = -1; ///< run to measure next; −1: none is left
};

} // namespace quadric::widgets
