// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/view.h"
#include "widgets/text/text_table.h"

class QLabel;
class QTableView;

namespace quadric::widgets {

class TextTableModel;

/// A view that is one table under what it says in plain words.
class TableView : public View {
    Q_OBJECT

public:
    using MakeTable = std::function<report::Table(const study::Study&, const model::Fit&)>;
    using MakeReading = std::function<QString(const model::Fit&)>;
    TableView(MakeTable table, MakeReading reading);

    void showFit(const study::Study& study, const model::Fit& fit) override;

protected:
    void addCopyAction(QMenu& menu) override;

private:
    MakeTable m_makeTable;
    MakeReading m_makeReading;
    TextTable m_shown;
    QLabel* m_reading;
    QLabel* m_note;
    QTableView* m_view;
    TextTableModel* m_model;
};

} // namespace quadric::widgets
