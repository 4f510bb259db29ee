// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/measured_runs.h"

#include "core/report/tables/place_tables.h"
#include "widgets/text/text_table_model.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

MeasuredRuns::MeasuredRuns(QWidget* parent)
    : QWidget(parent)
    , m_table(new QTableView(this))
    , m_model(new TextTableModel(this))
{
    auto* title = new QLabel(tr("Best measured runs"), this);
    title->setToolTip(tr("Runs by the overall desirability of what was measured, for comparison with the "
                         "predictions above."));
    title->setBuddy(m_table);
    setUpTable(*m_table);
    m_table->setModel(m_model);
    m_table->setObjectName(QStringLiteral("measuredRuns"));
    m_table->setAccessibleName(title->text());
    m_table->setTabKeyNavigation(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(title);
    layout->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { pick(index.row()); });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) { pick(index.row()); });
}

void MeasuredRuns::setRuns(const study::Study& study, const std::vector<optimize::MeasuredRun>& runs)
{
    const QSignalBlocker quiet(m_table->selectionModel());
    m_runs = runs;
    m_model->setTable(report::makeMeasuredTable(study, runs));
    setVisible(!runs.empty());
}

void MeasuredRuns::pick(int row)
{
    if (row >= 0 && static_cast<std::size_t>(row) < m_runs.size())
        emit picked(m_runs[static_cast<std::size_t>(row)].settings);
}

} // namespace quadric::widgets
