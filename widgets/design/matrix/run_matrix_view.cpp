// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/matrix/run_matrix_view.h"

#include "widgets/base/style.h"
#include "widgets/design/matrix/run_matrix_delegate.h"
#include "widgets/text/text_table.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMap>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace quadric::widgets {

void SortedRuns::sortBy(int column)
{
    const bool isTurned = column == sortColumn() && sortOrder() == Qt::AscendingOrder;
    sort(column, isTurned ? Qt::DescendingOrder : Qt::AscendingOrder);
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

QVariant SortedRuns::headerData(int section, Qt::Orientation orientation, int role) const
{
    QVariant value = QSortFilterProxyModel::headerData(section, orientation, role);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section != sortColumn())
        return value;
    return (sortOrder() == Qt::AscendingOrder ? QStringLiteral("▴ ") : QStringLiteral("▾ ")) +
           value.toString();
}

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
    m_sorted->sortBy(RunMatrixModel::OrderColumn);
    horizontalHeader()->setSectionsClickable(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignBottom);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &RunMatrixView::sortBy);
    setUpCells();
}

void RunMatrixView::setUpCells()
{
    setSelectionBehavior(SelectItems);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed);
    setTabKeyNavigation(false);
    auto* delegate = new RunMatrixDelegate(m_model, *m_sorted, this);
    setItemDelegate(delegate);
    connect(delegate, &RunMatrixDelegate::settingTyping, this, &RunMatrixView::settingTyping);
    connect(delegate, &RunMatrixDelegate::typingEnded, this, &RunMatrixView::typingEnded);
    connect(delegate, &RunMatrixDelegate::left, this, &RunMatrixView::move);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { m_firstColumn = -1; });
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        viewport()->update();
        updatePickedRuns();
    });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunMatrixView::updatePickedRuns);
}

/// The run that was gone to last, with those whose cells are selected beside it.
void RunMatrixView::updatePickedRuns()
{
    const int current = runIdAt(currentIndex().row());
    PickedRuns picked(pickedRuns());
    if (picked.contains(current))
        picked.current = current;
    else
        picked = current;
    if (picked != std::exchange(m_picked, picked))
        emit runsPicked(picked);
}

void RunMatrixView::sortBy(int column)
{
    m_sorted->sortBy(column);
}

int RunMatrixView::runIdAt(int shownRow) const
{
    return m_model.runIdAt(m_sorted->mapToSource(m_sorted->index(shownRow, 0)).row());
}

void RunMatrixView::pickRuns(const PickedRuns& runs)
{
    const auto rowOf = [this](int run) {
        return m_sorted->mapFromSource(m_model.index(m_model.rowOf(run), 0));
    };
    const QModelIndex shown = rowOf(runs.current);
    const bool isAlone = runs.all.size() < 2 && m_picked.all.size() < 2;
    m_picked = runs;
    if (isAlone && shown.row() == currentIndex().row())
        return;
    const QSignalBlocker blocker(this);
    if (!shown.isValid()) {
        clearSelection();
        setCurrentIndex({});
        return;
    }
    goTo(shown.siblingAtColumn(std::max(0, currentIndex().column())));
    for (const int run : runs.all)
        if (const QModelIndex row = rowOf(run); runs.all.size() > 1 && row.isValid())
            selectionModel()->select(row, QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

void RunMatrixView::goToResult(int runId)
{
    const QModelIndex row = m_sorted->mapFromSource(m_model.index(m_model.rowOf(runId), 0));
    const auto& columns = m_model.matrix().columns();
    for (int column = int(columns.size()) - 1; row.isValid() && column >= 0; --column) {
        const QModelIndex cell = row.siblingAtColumn(column);
        const bool isFirst = column == 0 || columns[size_t(column) - 1].kind != MatrixColumn::Result;
        const bool isMissing = cell.data(Qt::EditRole).toString().isEmpty();
        if (columns[size_t(column)].kind == MatrixColumn::Result && (isMissing || isFirst))
            goTo(cell);
    }
    setFocus();
}

void RunMatrixView::goToVariable(const std::string& name)
{
    const auto& columns = m_model.matrix().columns();
    const auto isWanted = [&](const MatrixColumn& column) { return m_model.matrix().nameOf(column) == name; };
    const auto at = std::ranges::find_if(columns, isWanted);
    if (at == columns.end())
        return;
    goTo(model()->index(std::max(0, currentIndex().row()), static_cast<int>(at - columns.begin())));
    setFocus();
}

bool RunMatrixView::isExcluded(int row) const
{
    const int source = m_sorted->mapToSource(m_sorted->index(row, 0)).row();
    return m_model.matrix().runs()[size_t(source)].status == study::RunStatus::Excluded;
}

/// The next cell of the column; from one that can be typed into, the next such one of a run that counts.
QModelIndex RunMatrixView::findBelow(int step) const
{
    const int column = step > 0 && m_firstColumn >= 0 ? m_firstColumn : currentIndex().column();
    const bool isTyping = canTypeInto(currentIndex());
    for (int row = currentIndex().row() + step; row >= 0 && row < m_sorted->rowCount(); row += step) {
        const QModelIndex cell = m_sorted->index(row, column);
        if (!isTyping || (canTypeInto(cell) && !isExcluded(row)))
            return cell;
    }
    return {};
}

QModelIndex RunMatrixView::findInRow(int row, int from, int step) const
{
    for (int column = from; column >= 0 && column < m_sorted->columnCount(); column += step)
        if (canTypeInto(m_sorted->index(row, column)))
            return m_sorted->index(row, column);
    return {};
}

/// The next cell of the row that can be typed into, or the first of the next row, where Tab began.
QModelIndex RunMatrixView::findBeside(int step) const
{
    const QModelIndex here = currentIndex();
    if (const QModelIndex beside = findInRow(here.row(), here.column() + step, step); beside.isValid())
        return beside;
    const int from = step > 0 ? std::max(0, m_firstColumn) : m_sorted->columnCount() - 1;
    for (int row = here.row() + step; row >= 0 && row < m_sorted->rowCount(); row += step)
        if (const QModelIndex cell = findInRow(row, from, step); cell.isValid() && !isExcluded(row))
            return cell;
    return {};
}

bool RunMatrixView::move(CellMove move)
{
    const bool isAcross = move == CellMove::Next || move == CellMove::Previous;
    const int step = move == CellMove::Down || move == CellMove::Next ? 1 : -1;
    const int first = m_firstColumn >= 0 ? m_firstColumn : currentIndex().column();
    const QModelIndex cell = isAcross ? findBeside(step) : findBelow(step);
    if (!cell.isValid())
        return false;
    goTo(cell);
    m_firstColumn = isAcross ? first : -1;
    return true;
}

/// The only selected cell from now on, also while Shift or Ctrl is pressed.
void RunMatrixView::goTo(const QModelIndex& cell)
{
    selectionModel()->setCurrentIndex(cell, QItemSelectionModel::ClearAndSelect);
    scrollTo(cell);
}

std::vector<int> RunMatrixView::pickedRuns() const
{
    std::vector<int> picked;
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        if (selectionModel()->rowIntersectsSelection(row, {}))
            picked.push_back(runIdAt(row));
    return picked;
}

bool RunMatrixView::hasWholeRows() const
{
    return !selectionModel()->selectedRows().empty() &&
           selectionModel()->selectedRows().size() * m_sorted->columnCount() ==
               selectionModel()->selectedIndexes().size();
}

PasteTarget RunMatrixView::pasteTarget() const
{
    PasteTarget target;
    QModelIndex first = currentIndex(), last = first;
    for (const QModelIndex& cell : selectionModel()->selectedIndexes()) {
        first = m_sorted->index(std::min(first.row(), cell.row()), std::min(first.column(), cell.column()));
        last = m_sorted->index(std::max(last.row(), cell.row()), std::max(last.column(), cell.column()));
    }
    for (int row = std::max(0, first.row()); row < m_sorted->rowCount(); ++row)
        target.runs.push_back(runIdAt(row));
    const auto& columns = m_model.matrix().columns();
    target.columns.assign(columns.begin() + std::max(0, first.column()), columns.end());
    target.selectedRows = last.row() - first.row() + 1;
    target.selectedColumns = last.column() - first.column() + 1;
    return target;
}

/// The selected cells between the outermost ones, as a spreadsheet takes them.
QString RunMatrixView::selectedText() const
{
    QMap<int, QMap<int, QString>> cells;
    QMap<int, int> columns;
    for (const QModelIndex& cell : selectionModel()->selectedIndexes()) {
        cells[cell.row()][cell.column()] = cell.data(Qt::EditRole).toString();
        columns[cell.column()] = 0;
    }
    QString text;
    for (const auto& row : cells) {
        QStringList line;
        for (int column = columns.firstKey(); column <= columns.lastKey(); ++column)
            line << row.value(column);
        text += line.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

void RunMatrixView::copy() const
{
    if (selectionModel()->hasSelection() && !hasWholeRows())
        return QGuiApplication::clipboard()->setText(selectedText());
    const std::vector<int> picked = pickedRuns();
    if (picked.size() != 1)
        return copyRuns();
    QGuiApplication::clipboard()->setText(formatRunsForClipboard(m_model.matrix(), picked));
}

void RunMatrixView::copyRuns() const
{
    std::vector<int> runs = pickedRuns();
    if (runs.size() < 2) {
        runs.clear();
        for (int row = 0; row < m_sorted->rowCount(); ++row)
            runs.push_back(runIdAt(row));
    }
    QGuiApplication::clipboard()->setText(formatRunsForClipboard(m_model.matrix(), runs));
}

void RunMatrixView::paste()
{
    const QString text = QGuiApplication::clipboard()->text();
    if (!text.trimmed().isEmpty())
        emit pasteRequested(text);
}

void RunMatrixView::clearCells()
{
    std::vector<MatrixCell> cells;
    QModelIndexList selected = selectionModel()->selectedIndexes();
    if (selected.isEmpty() && currentIndex().isValid())
        selected << currentIndex();
    for (const QModelIndex& cell : selected)
        cells.push_back({runIdAt(cell.row()), m_model.matrix().columns()[size_t(cell.column())]});
    if (!cells.empty())
        emit clearRequested(cells);
}

void RunMatrixView::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isSpace = event->key() == Qt::Key_Space && currentIndex().isValid();
    if (event->matches(QKeySequence::Cut)) {
        copy();
        clearCells();
    } else if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->matches(QKeySequence::Paste))
        paste();
    else if (event->matches(QKeySequence::Delete) || event->key() == Qt::Key_Backspace)
        clearCells();
    else if (isEnter && currentIndex().isValid())
        move(event->modifiers().testFlag(Qt::ShiftModifier) ? CellMove::Up : CellMove::Down);
    else if (isSpace && event->modifiers() == Qt::ShiftModifier)
        selectionModel()->select(selectionModel()->selection(),
                                 QItemSelectionModel::Select | QItemSelectionModel::Rows);
    else if (isSpace && event->modifiers() == Qt::ControlModifier)
        selectionModel()->select(selectionModel()->selection(),
                                 QItemSelectionModel::Select | QItemSelectionModel::Columns);
    else
        QTableView::keyPressEvent(event);
}

/// A line below the table that comes and goes does not hide the present cell.
void RunMatrixView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (currentIndex().isValid())
        scrollTo(currentIndex());
}

/// From a cell that can be typed into, Tab goes to the next one; from others, and behind the last one, it
/// leaves the table.
bool RunMatrixView::focusNextPrevChild(bool isNext)
{
    if (canTypeInto(currentIndex()) && move(isNext ? CellMove::Next : CellMove::Previous))
        return true;
    return QTableView::focusNextPrevChild(isNext);
}

QItemSelectionModel::SelectionFlags RunMatrixView::selectionCommand(const QModelIndex& index,
                                                                    const QEvent* event) const
{
    const auto flags = QTableView::selectionCommand(index, event);
    const bool isMouse =
        event && (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseMove);
    const bool isHeading =
        index.column() == RunMatrixModel::OrderColumn || index.column() == RunMatrixModel::NumberColumn;
    return isMouse && isHeading && flags != QItemSelectionModel::NoUpdate ? flags | QItemSelectionModel::Rows
                                                                          : flags;
}

MatrixPanel::MatrixPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new RunMatrixModel(this))
    , m_view(new RunMatrixView(*m_model))
    , m_units(new QComboBox)
{
    nameWidget(m_view, "runMatrix", tr("Matrix of runs"));
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* layout = marginless<QVBoxLayout>(this, kGap);
    layout->addLayout(buildTools());
    layout->addWidget(m_view, 1);
}

QHBoxLayout* MatrixPanel::buildTools()
{
    nameWidget(m_units, "settingUnits", tr("Units of the settings"));
    m_units->addItem(tr("actual values"));
    m_units->addItem(tr("coded values"));
    m_units->addItem(tr("actual and coded"));
    m_units->setToolTip(tr(
        "Coded values run from −1 at the low to +1 at the high end of each factor, on the factor's scale."));
    connect(m_units, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_model->setUnits(static_cast<SettingUnits>(index)); });
    auto* caption = new QLabel(tr("Sho&w"));
    caption->setBuddy(m_units);
    auto* copy = quietButton(tr("C&opy"));
    m_paste = quietButton(tr("&Paste"));
    nameWidget(copy, "copyMatrix", tr("Copy the matrix"));
    nameWidget(m_paste, "pasteMatrix", tr("Paste into the matrix"));
    copy->setToolTip(
        tr("Copies the selected runs, or all of them, with headings. Ctrl+C copies the selected cells."));
    m_paste->setToolTip(tr("Takes results from a spreadsheet: with headings by name and run number, without "
                           "headings from the current cell on."));
    connect(copy, &QPushButton::clicked, m_view, &RunMatrixView::copyRuns);
    connect(m_paste, &QPushButton::clicked, m_view, &RunMatrixView::paste);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(caption);
    row->addWidget(m_units);
    row->addStretch();
    row->addWidget(copy);
    row->addWidget(m_paste);
    return row;
}

void MatrixPanel::setStudy(const study::Study& study, MatrixEdits edits)
{
    m_model->setStudy(study, edits);
    m_paste->setEnabled(edits.results || edits.settings);
}

} // namespace quadric::widgets
