// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_table_view.h"

#include "widgets/monitor/run_table_model.h"
#include "widgets/monitor/status_delegate.h"
#include "widgets/text/text_table_model.h"

#include <QHeaderView>
#include <QScopedValueRollback>

#include <algorithm>

namespace quadric::widgets {

RunTableView::RunTableView(QWidget* parent)
    : QTableView(parent)
    , m_model(new RunTableModel(this))
{
    setUpTable(*this);
    setModel(m_model);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAccessibleName(tr("Runs"));
    setTabKeyNavigation(false); // Tab goes on; the arrows choose a run
    horizontalHeader()->setStretchLastSection(true);
    verticalHeader()->setDefaultSectionSize(28);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setMinimumHeight(120);
    placeDelegate();
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunTableView::tellPick);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RunTableView::tellPick);
    // The row that is lit already, because its run is in progress.
    connect(this, &QAbstractItemView::pressed, this, &RunTableView::tellPick);
}

void RunTableView::placeDelegate()
{
    const int column = m_model->statusColumn();
    if (column == m_statusColumn)
        return;
    if (m_statusColumn >= 0)
        setItemDelegateForColumn(m_statusColumn, nullptr);
    setItemDelegateForColumn(column, new StatusDelegate(this));
    m_statusColumn = column;
}

void RunTableView::tellPick()
{
    if (!m_isLighting)
        emit picked();
}

std::vector<int> RunTableView::selectedRuns() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::ranges::sort(rows);
    std::vector<int> ids;
    ids.reserve(rows.size());
    for (const int row : rows)
        ids.push_back(m_model->index(row, 0).data(RunTableModel::RunIdRole).toInt());
    return ids;
}

int RunTableView::currentRun() const
{
    return currentIndex().isValid() ? currentIndex().data(RunTableModel::RunIdRole).toInt() : -1;
}

void RunTableView::setStudy(const study::Study& study)
{
    const std::vector<int> selected = selectedRuns();
    const int current = currentRun();
    const int column = std::max(0, currentIndex().column());
    const QScopedValueRollback isLighting(m_isLighting, true);
    m_model->setStudy(study);
    placeDelegate();
    if (currentRun() == current && selectedRuns() == selected)
        return;
    if (const int row = m_model->rowOf(current); row >= 0)
        selectionModel()->setCurrentIndex(m_model->index(row, std::min(column, m_model->statusColumn())),
                                          QItemSelectionModel::NoUpdate);
    QItemSelection selection;
    for (const int run : selected) {
        if (const int row = m_model->rowOf(run); row >= 0)
            selection.select(m_model->index(row, 0), m_model->index(row, m_model->statusColumn()));
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

void RunTableView::light(const PickedRuns& runs)
{
    const QScopedValueRollback isLighting(m_isLighting, true);
    const int row = m_model->rowOf(runs.current);
    if (row < 0) {
        clearSelection();
        selectionModel()->clearCurrentIndex();
        return;
    }
    // Not setCurrentIndex() of the view, which looks at the keys that happen to be held down.
    if (PickedRuns(selectedRuns()).all != runs.all || currentRun() != runs.current)
        selectionModel()->setCurrentIndex(m_model->index(row, 0),
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    for (const int run : runs.all)
        if (const int beside = m_model->rowOf(run); beside >= 0 && run != runs.current)
            selectionModel()->select(m_model->index(beside, 0),
                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    scrollTo(m_model->index(row, 0));
}

} // namespace quadric::widgets
