// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text/text_table.h"

class QSortFilterProxyModel;

namespace quadric::widgets {

class RunMatrixModel;
struct MatrixColumn;

/// Where the present cell goes from a cell that was typed into, as in a spreadsheet: Enter and Tab, and back
/// with Shift.
enum class CellMove { Down, Up, Next, Previous };

/// Cells of a matrix of runs, the present one framed, and their editors: a list for factors with levels, a
/// line for everything else. Tells what is being typed into a setting, so that its consequences can be shown
/// before it is taken.
class RunMatrixDelegate : public TableDelegate {
    Q_OBJECT

public:
    RunMatrixDelegate(const RunMatrixModel& model, const QSortFilterProxyModel& sorted, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void destroyEditor(QWidget* editor, const QModelIndex& index) const override;

signals:
    void settingTyping(int runId, const QString& factor, const QString& text);
    void typingEnded();
    /// A key has ended typing; what was typed is taken.
    void left(quadric::widgets::CellMove move);

protected:
    bool eventFilter(QObject* editor, QEvent* event) override;

private:
    const MatrixColumn& columnOf(const QModelIndex& index) const;
    QStringList listLevels(const MatrixColumn& column) const;
    void tell(const QPersistentModelIndex& index, const QString& text) const;

    const RunMatrixModel& m_model;
    const QSortFilterProxyModel& m_sorted;
};

} // namespace quadric::widgets
