// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/run_matrix_view.h"

#include "widgets/design/run_matrix_model.h"
#include "widgets/text/text_table_model.h"

#include <QHeaderView>
#include <QSignalBlocker>

namespace quadric::widgets {

RunMatrixView::RunMatrixView(RunMatrixModel& model, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
{
    setModel(&model);
    setUpTable(*this);
    setTabKeyNavigation(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignBottom);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { emit runPicked(m_model.runIdAt(current.row())); });
}

void RunMatrixView::pickRun(int runId)
{
    const int row = m_model.rowOf(runId);
    if (row == currentIndex().row())
        return;
    const QSignalBlocker blocker(this);
    if (row < 0) {
        clearSelection();
        setCurrentIndex({});
    } else {
        setCurrentIndex(m_model.index(row, std::max(0, currentIndex().column())));
    }
}

} // namespace quadric::widgets
