// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/next/measured_best.h"

#include <QWidget>

class QTableView;

namespace quadric::widgets {

class TextTableModel;

/// The best runs that were measured, under their own title; choosing one looks at its setting.
class MeasuredRuns : public QWidget {
    Q_OBJECT

public:
    explicit MeasuredRuns(QWidget* parent = nullptr);

    /// Hidden where there are none.
    void setRuns(const study::Study& study, const std::vector<optimize::MeasuredRun>& runs);

signals:
    void picked(const quadric::study::Settings& settings);

private:
    void pick(int row);

    QTableView* m_table;
    TextTableModel* m_model;
    std::vector<optimize::MeasuredRun> m_runs;
};

} // namespace quadric::widgets
