// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/design/matrix/run_matrix.h"
#include "widgets/design/matrix/run_matrix_model.h"

#include <QStringList>

namespace quadric::widgets {

/// The runs with these numbers, in this order, as spreadsheets take them: a line of headings, tabs between
/// cells, all digits, decimal points.
QString formatRunsForClipboard(const RunMatrix& matrix, const std::vector<int>& runIds);

/// Where cells go that are pasted: the runs and the columns from the first selected cell on, as the table
/// shows them. A single cell fills all that are selected.
struct PasteTarget {
    std::vector<int> runs;
    std::vector<MatrixColumn> columns;
    int selectedRows = 1, selectedColumns = 1;
};

/// A value that was pasted for this factor or response of a run and cannot be read.
struct RefusedPaste {
    int runId = 0;
    QString name;
    RefusedCell cell;
};

/// What pasting would do: the study with every cell that can be taken, and a sentence for each that cannot.
struct Paste {
    study::Study study;
    int taken = 0; ///< cells that change something
    QStringList problems;
    std::vector<RefusedPaste> refused; ///< those of the problems that are values of a cell
};

/// Text from a spreadsheet put into the matrix. With a line of headings the columns are found by name, and
/// the runs by number where there is a column "run"; without one the cells go where the target says. Settings
/// of runs with results are only compared, because a result belongs to its settings. Empty cells change
/// nothing.
Paste pasteInto(const study::Study& study, const RunMatrix& matrix, const PasteTarget& target,
                MatrixEdits allowed, const QString& text);

} // namespace quadric::widgets
