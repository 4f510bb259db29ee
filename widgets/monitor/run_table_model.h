// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"
#include "core/study/study.h"

#include <QAbstractTableModel>

#include <map>

namespace quadric::widgets {

/// The runs of a study in the order in which they are executed: order, number, kind, settings, results with
/// their spread, elapsed and remaining time, status in words.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { RunIdRole = Qt::UserRole, ProgressRole }; ///< progress 0…1, invalid for runs that do not run

    using QAbstractTableModel::QAbstractTableModel;

    void setStudy(const study::Study& study);
    /// Where the living runner stands: progress of its runs and what they wait for.
    void setNews(const run::RunnerNews& news);
    /// Elapsed and remaining times of the runs in progress are those of now.
    void refreshTimes();

    int rowOf(int runId) const; ///< −1 without such a run
    int statusColumn() const { return columnCount() - 1; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const study::Run& runAt(int row) const { return *m_order[static_cast<std::size_t>(row)]; }
    const study::Response* responseAt(int column) const;
    QString text(const study::Run& run, int column) const;
    QString settingText(const study::Run& run, const study::Factor& factor) const;
    const run::ActiveNews* newsOf(const study::Run& run) const;
    void refreshRow(int row);
    QVariant tooltip(const study::Run& run, int column) const;

    study::Study m_study;
    std::vector<study::Run> m_baselines;
    std::vector<const study::Run*> m_order; ///< baselines, then the runs in run order
    run::RunnerNews m_news;
    std::map<std::string, double> m_uncertainty; ///< per response: the digits that its results share
};

} // namespace quadric::widgets
