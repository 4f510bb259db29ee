// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/picked_runs.h"

#include <QTableView>

#include <vector>

namespace quadric::study {
struct Study;
}

namespace quadric::widgets {

class RunTableModel;

/// The table of runs, of which several can be selected at once. The selection follows the runs, not the rows:
/// it stays when the table grows.
class RunTableView : public QTableView {
    Q_OBJECT

public:
    explicit RunTableView(QWidget* parent = nullptr);

    RunTableModel* runs() const { return m_model; }
    void setStudy(const study::Study& study);

    /// In the order of the rows.
    std::vector<int> selectedRuns() const;
    /// The run that the user went to last; −1: none.
    int currentRun() const;

    /// Lights the rows of these runs, the current one in sight. No picked() follows.
    void light(const PickedRuns& runs);

signals:
    /// The user has selected other runs than before, or has clicked on one.
    void picked();

private:
    void placeDelegate();
    void tellPick();

    RunTableModel* m_model;
    int m_statusColumn = -1;
    bool m_isLighting = false;
};

} // namespace quadric::widgets
