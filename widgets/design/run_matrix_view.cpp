// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/run_matrix_view.h"

#include "widgets/design/labels.h"
#include "widgets/design/run_matrix_model.h"

#include <QHeaderView>
#include <QSignalBlocker>

namespace quadric::widgets {

RunMatrixView::RunMatrixView(RunMatrixModel& model, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
{
    setModel(&model);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setFrameShape(NoFrame);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kGap);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(fontMetrics().horizontalAdvance(QStringLiteral("Order  ")));
    connect(&model, &QAbstractItemModel::modelReset, this, &RunMatrixView::fitColumns);
    connect(&model, &QAbstractItemModel::dataChanged, this, &RunMatrixView::fitColumns);
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

void RunMatrixView::fitColumns()
{
    resizeColumnsToContents();
    for (int column = 0; column < m_model.columnCount(); ++column)
        setColumnWidth(column, columnWidth(column) + kGap);
}

} // namespace quadric::widgets
