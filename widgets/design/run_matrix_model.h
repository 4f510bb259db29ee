// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/design/run_matrix.h"

#include <QAbstractTableModel>

namespace quadric::widgets {

/// What of a matrix can be typed into: results, and settings of runs that wait.
struct MatrixEdits {
    bool results = false, settings = false;
    bool operator==(const MatrixEdits&) const = default;
};

/// A RunMatrix on the screen. What the user types is only asked for: the model never changes a run itself.
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

    /// Id of the run in this row, −1 where there is none; and the row of a run, −1 likewise.
    int runIdAt(int row) const;
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
    /// The user typed something that is no number into a result.
    void resultRefused(int runId, const QString& response, const QString& typed);
    /// The user typed a setting, checked by whoever listens.
    void settingTyped(int runId, const QString& factor, const QString& typed);

private:
    bool canType(const study::Run& run, const MatrixColumn& column) const;
    bool takeResult(const study::Run& run, const MatrixColumn& column, const QString& typed);
    QString toolTip(const study::Run& run, const MatrixColumn& column) const;

    study::Study m_study;
    RunMatrix m_matrix;
    SettingUnits m_units = SettingUnits::Actual;
    MatrixEdits m_edits;
};

} // namespace quadric::widgets
