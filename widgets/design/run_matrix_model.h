// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QAbstractTableModel>

#include <map>
#include <optional>

namespace quadric::widgets {

/// The runs of a study in run order, one row each: order, number, kind, state, settings, results.
class RunMatrixModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { OrderColumn, NumberColumn, KindColumn, StateColumn, FirstFactorColumn };

    explicit RunMatrixModel(QObject* parent = nullptr);

    /// Shows the runs of this study. With `canType` the results can be edited; the model only asks
    /// (resultTyped), it never changes them itself.
    void setStudy(const study::Study& study, bool canType);

    /// Settings in coded units, −1 … +1, instead of actual ones.
    void setCoded(bool coded);

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

private:
    const study::Factor* factorAt(int column) const;
    const study::Response* responseAt(int column) const;
    QString text(const study::Run& run, int column) const;
    QString settingText(const study::Run& run, int column) const;
    QString resultText(const study::Run& run, const study::Response& response) const;
    QString editText(const study::Run& run, int column) const;
    QString toolTip(const study::Run& run, int column) const;

    std::vector<study::Factor> m_factors;
    std::vector<study::Response> m_responses;
    std::vector<study::Run> m_runs;
    std::map<std::string, double> m_uncertainty; ///< response name → what its digits are chosen by
    std::optional<study::Coding> m_coding;       ///< empty while the factors are not sound
    bool m_isCoded = false;
    bool m_canType = false;
};

} // namespace quadric::widgets
