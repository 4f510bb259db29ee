// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/design/matrix_clipboard.h"

#include <QTableView>

namespace quadric::widgets {

/// A calm table of runs: no grid, whole rows picked, columns as wide as what they hold, sorted by a click on
/// a heading, copied to spreadsheets and pasted from them.
class RunMatrixView : public QTableView {
    Q_OBJECT

public:
    /// Shows the model, which must outlive the view.
    explicit RunMatrixView(RunMatrixModel& model, QWidget* parent = nullptr);

    /// Lights the row of this run; −1: none.
    void pickRun(int runId);

    /// The run in this row as it is shown, −1 where there is none.
    int runIdAt(int shownRow) const;
    /// Numbers of the runs in the picked rows, of all runs where less than two are picked, as shown.
    std::vector<int> runsToCopy() const;
    PasteTarget pasteTarget() const;

public slots:
    /// Upwards; downwards if it is sorted so already.
    void sortBy(int column);
    void copy() const;
    void paste();

signals:
    void runPicked(int runId);
    void pasteRequested(const QString& text);
    /// A setting is being typed and not yet taken.
    void settingTyping(int runId, const QString& factor, const QString& text);
    void typingEnded();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    RunMatrixModel& m_model;
    class SortedRuns;
    SortedRuns* m_sorted;
};

} // namespace quadric::widgets
