// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"
#include "core/study/study.h"
#include "widgets/base/page.h"
#include "widgets/text/text_table.h"

#include <QAbstractTableModel>
#include <QString>
#include <QTableView>

#include <map>
#include <vector>

namespace quadric::widgets {

/// The state of a run, with what the living runner tells about it: how far it is, what it waits for, on which
/// devices; of one that waits whether it comes next or is skipped.
QString statusWords(const study::Run& run, const run::RunnerNews& news);

/// What the run took; of one in progress what it has taken and what is left.
QString timeWords(const study::Run& run, const run::RunnerNews& news);

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
    const run::ActiveNews* findActiveNews(const study::Run& run) const;
    void refreshRow(int row);
    QVariant tooltip(const study::Run& run, int column) const;

    study::Study m_study;
    std::vector<study::Run> m_baselines;
    std::vector<const study::Run*> m_order; ///< baselines, then the runs in run order
    run::RunnerNews m_news;
    std::map<std::string, double> m_uncertainty; ///< per response: the digits that its results share
};

/// The status of a run; under the words of a run in progress lies a thin bar.
class StatusDelegate : public TableDelegate {
    Q_OBJECT

public:
    using TableDelegate::TableDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

/// The table of runs, of which several can be selected at once. The selection follows the runs, not the rows:
/// it stays when the table grows.
class RunTableView : public QTableView {
    Q_OBJECT

public:
    explicit RunTableView(QWidget* parent = nullptr);

    RunTableModel* runs() const { return m_model; }
    void setStudy(const study::Study& study);

    /// In the order of the rows.
    std::vector<int> selectedRuns() const;
    /// The run that the user went to last; −1: none.
    int currentRun() const;

    /// Lights the rows of these runs, the current one in sight. No picked() follows.
    void light(const PickedRuns& runs);

signals:
    /// The user has selected other runs than before, or has clicked on one.
    void picked();

private:
    void placeDelegate();
    void emitPicked();

    RunTableModel* m_model;
    int m_statusColumn = -1;
    bool m_isLighting = false;
};

} // namespace quadric::widgets
