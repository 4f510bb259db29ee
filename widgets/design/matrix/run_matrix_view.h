// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/design/matrix/matrix_clipboard.h"

#include <QSortFilterProxyModel>
#include <QTableView>
#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QPushButton;

namespace quadric::widgets {

/// The runs sorted by one column, with an arrow in its heading: the one that the header draws takes room in
/// every column.
class SortedRuns : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// Upwards; downwards if it is sorted so already.
    void sortBy(int column);
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

enum class CellMove;

/// A cell of a matrix of runs, whatever its place in the table.
struct MatrixCell {
    int runId = -1;
    MatrixColumn column;
};

/// A calm table of runs that is typed into as into a spreadsheet: Enter goes down, Tab to the right, with
/// Shift back; keys replace, F2 edits, Delete clears. Sorted by a click on a heading; a click on the first
/// columns picks whole rows.
class RunMatrixView : public QTableView {
    Q_OBJECT

public:
    /// Shows the model, which must outlive the view.
    explicit RunMatrixView(RunMatrixModel& model, QWidget* parent = nullptr);

    /// Makes the row of the current one of these runs the present one, and selects the rows of all.
    void pickRuns(const PickedRuns& runs);
    /// Makes the first result of this run that is missing the present cell, ready for typing.
    void goToResult(int runId);
    /// Goes to the column of this factor or response, in the present row.
    void goToVariable(const std::string& name);

    /// The run in this row as it is shown, −1 where there is none.
    int runIdAt(int shownRow) const;
    /// The runs of the selected cells, as shown.
    std::vector<int> pickedRuns() const;
    PasteTarget pasteTarget() const;

    /// Enter goes down, Tab to the right. False where there is no further cell in this direction.
    bool move(CellMove move);

public slots:
    /// Upwards; downwards if it is sorted so already.
    void sortBy(int column);
    /// The selected cells, or whole rows with their headings: the selected ones, or all.
    void copy() const;
    /// Whole rows with their headings: the picked ones where they are several, otherwise all.
    void copyRuns() const;
    void paste();
    /// Asks for the selected cells to be emptied.
    void clearCells();

signals:
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    void pasteRequested(const QString& text);
    void clearRequested(const std::vector<quadric::widgets::MatrixCell>& cells);
    /// A setting is being typed and not yet taken.
    void settingTyping(int runId, const QString& factor, const QString& text);
    void typingEnded();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool focusNextPrevChild(bool isNext) override;
    void keyboardSearch(const QString&) override {} ///< digits are results, not row numbers
    QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index,
                                                         const QEvent* event) const override;

private:
    void updatePickedRuns();
    void setUpCells();
    void goTo(const QModelIndex& cell);
    bool hasWholeRows() const;
    bool canTypeInto(const QModelIndex& cell) const { return cell.flags().testFlag(Qt::ItemIsEditable); }
    bool isExcluded(int row) const;
    QModelIndex findBelow(int step) const;
    QModelIndex findBeside(int step) const;
    QModelIndex findInRow(int row, int from, int step) const;
    QString selectedText() const;

    RunMatrixModel& m_model;
    SortedRuns* m_sorted;
    PickedRuns m_picked;    ///< as told, or as heard
    int m_firstColumn = -1; ///< where Tab began: Enter goes back to it
};

/// The matrix of runs with what is done to it: units of the settings, copy and paste.
class MatrixPanel : public QWidget {
    Q_OBJECT

public:
    explicit MatrixPanel(QWidget* parent = nullptr);

    void setStudy(const study::Study& study, MatrixEdits edits);
    RunMatrixModel& model() { return *m_model; }
    RunMatrixView& view() { return *m_view; }

private:
    QHBoxLayout* buildTools();

    RunMatrixModel* m_model;
    RunMatrixView* m_view;
    QComboBox* m_units;
    QPushButton* m_paste = nullptr;
};

} // namespace quadric::widgets
