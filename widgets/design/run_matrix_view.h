// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace quadric::widgets {

class RunMatrixModel;

/// A calm table of runs: no grid, whole rows picked, columns as wide as what they hold.
class RunMatrixView : public QTableView {
    Q_OBJECT

public:
    /// Shows the model, which must outlive the view.
    explicit RunMatrixView(RunMatrixModel& model, QWidget* parent = nullptr);

    /// Lights the row of this run; −1: none.
    void pickRun(int runId);

signals:
    void runPicked(int runId);

private:
    RunMatrixModel& m_model;
};

} // namespace quadric::widgets
