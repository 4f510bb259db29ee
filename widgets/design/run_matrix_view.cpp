// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/run_matrix_view.h"

#include "widgets/design/run_matrix_delegate.h"
#include "widgets/text/text_table_model.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>

namespace quadric::widgets {

/// The runs sorted by one column, with an arrow in its heading: the one that the header draws takes room in
/// every column.
class RunMatrixView::SortedRuns : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void sortBy(int column)
    {
        const bool isTurned = column == sortColumn() && sortOrder() == Qt::AscendingOrder;
        sort(column, isTurned ? Qt::DescendingOrder : Qt::AscendingOrder);
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        QVariant value = QSortFilterProxyModel::headerData(section, orientation, role);
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section != sortColumn())
            return value;
        return (sortOrder() == Qt::AscendingOrder ? QStringLiteral("▴ ") : QStringLiteral("▾ ")) +
               value.toString();
    }
};

RunMatrixView::RunMatrixView(RunMatrixModel& model, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
    , m_sorted(new SortedRuns(this))
{
    m_sorted->setSourceModel(&model);
    m_sorted->setSortRole(RunMatrixModel::kSortRole);
    m_sorted->setDynamicSortFilter(false); // a row stays where it is while its result is typed
    setModel(m_sorted);
    setUpTable(*this);
    setSelectionMode(ExtendedSelection);
    m_sorted->sortBy(RunMatrixModel::OrderColumn);
    horizontalHeader()->setSectionsClickable(true);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &RunMatrixView::sortBy);
    setTabKeyNavigation(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignBottom);
    auto* delegate = new RunMatrixDelegate(model, *m_sorted, this);
    setItemDelegate(delegate);
    connect(delegate, &RunMatrixDelegate::settingTyping, this, &RunMatrixView::settingTyping);
    connect(delegate, &RunMatrixDelegate::typingEnded, this, &RunMatrixView::typingEnded);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { emit runPicked(runIdAt(current.row())); });
}

void RunMatrixView::sortBy(int column)
{
    m_sorted->sortBy(column);
}

int RunMatrixView::runIdAt(int shownRow) const
{
    return m_model.runIdAt(m_sorted->mapToSource(m_sorted->index(shownRow, 0)).row());
}

void RunMatrixView::pickRun(int runId)
{
    const QModelIndex shown = m_sorted->mapFromSource(m_model.index(m_model.rowOf(runId), 0));
    if (shown.row() == currentIndex().row())
        return;
    const QSignalBlocker blocker(this);
    if (!shown.isValid()) {
        clearSelection();
        setCurrentIndex({});
    } else {
        setCurrentIndex(shown.siblingAtColumn(std::max(0, currentIndex().column())));
    }
}

std::vector<int> RunMatrixView::runsToCopy() const
{
    std::vector<int> picked, all;
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        all.push_back(runIdAt(row));
        if (selectionModel()->isRowSelected(row, {}))
            picked.push_back(all.back());
    }
    return picked.size() > 1 ? picked : all;
}

PasteTarget RunMatrixView::pasteTarget() const
{
    PasteTarget target;
    for (int row = std::max(0, currentIndex().row()); row < m_sorted->rowCount(); ++row)
        target.runs.push_back(runIdAt(row));
    const auto& columns = m_model.matrix().columns();
    target.columns.assign(columns.begin() + std::max(0, currentIndex().column()), columns.end());
    return target;
}

void RunMatrixView::copy() const
{
    QGuiApplication::clipboard()->setText(copiedRuns(m_model.matrix(), runsToCopy()));
}

void RunMatrixView::paste()
{
    const QString text = QGuiApplication::clipboard()->text();
    if (!text.trimmed().isEmpty())
        emit pasteRequested(text);
}

void RunMatrixView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->matches(QKeySequence::Paste))
        paste();
    else
        QTableView::keyPressEvent(event);
}

} // namespace quadric::widgets
