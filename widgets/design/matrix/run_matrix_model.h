// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/design/matrix/run_matrix.h"

#include <QAbstractTableModel>

#include <map>

namespace quadric::widgets {

/// What of a matrix can be typed into: results, and settings of runs that wait.
struct MatrixEdits {
    bool results = false, settings = false;
    bool operator==(const MatrixEdits&) const = default;
};

/// What was typed into a cell and cannot be taken, and why.
struct RefusedCell {
    QString typed, reason;
};

/// A RunMatrix on the screen. What the user types is only asked for: the model never changes a run itself.
/// What cannot be taken stays in its cell, marked, until something else is typed there or the study has
/// another value for it.
class RunMatrixModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { OrderColumn, NumberColumn, KindColumn, StateColumn, FirstFactorColumn };
    static constexpr int kSortRole = Qt::UserRole;

    explicit RunMatrixModel(QObject* parent = nullptr);

    void setStudy(const study::Study& study, MatrixEdits edits = {});
    void setUnits(SettingUnits units);
    SettingUnits units() const { return m_units; }
    const RunMatrix& matrix() const { return m_matrix; }

    /// Keeps what was typed for this factor or response in its cell, with the reason why it is not in the
    /// study.
    void refuse(int runId, const QString& name, const RefusedCell& cell);
    const std::map<std::pair<int, std::string>, RefusedCell>& refused() const { return m_refused; }
    /// Puts the values of the study back into all cells.
    void forgetRefused();

    /// The run that should be measured next stands out; −1: none.
    void setNextRun(int runId);

    /// Id of the run in this row, −1 where there is none; and the row of a run, −1 likewise.
    int runIdAt(int row) const { return row >= 0 && row < rowCount() ? m_matrix.runs()[size_t(row)].id : -1; }
    int rowOf(int runId) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    /// The user typed a result, or took it away (`known` is false).
    void resultTyped(int runId, const QString& response, double value, bool known);
    /// The user typed something that is no number into a result, which stays there.
    void resultRefused();
    /// The user typed a setting, checked by whoever listens.
    void settingTyped(int runId, const QString& factor, const QString& typed);

private:
    bool canType(const study::Run& run, const MatrixColumn& column) const;
    bool enterTypedResult(const study::Run& run, const MatrixColumn& column, const QString& typed);
    QString toolTip(const study::Run& run, const MatrixColumn& column) const;
    QVariant color(const study::Run& run, const MatrixColumn& column) const;
    const RefusedCell* refusedIn(const study::Run& run, const MatrixColumn& column) const;
    QString explainRefusedResult(const study::Run& run, const QString& response, const QString& typed) const;

    study::Study m_study;
    RunMatrix m_matrix;
    SettingUnits m_units = SettingUnits::Actual;
    MatrixEdits m_edits;
    std::map<std::pair<int, std::string>, RefusedCell> m_refused; ///< by run, and factor or response
    int m_nextRun = -1;
};

} // namespace quadric::widgets
