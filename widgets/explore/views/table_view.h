// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/table.h"
#include "widgets/explore/views/view.h"
#include "widgets/text/text_table.h"

#include <cstddef>
#include <string_view>

class QLabel;
class QTableView;

namespace quadric::widgets {

class TextTableModel;

/// The table with the column of this key at this place, so that what decides is seen without scrolling.
report::Table withColumnAt(report::Table table, std::string_view key, std::size_t place);

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
