// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/views/view.h"

class QComboBox;
class QLabel;
class QTableView;

namespace quadric::widgets {

class LevelPlot;
class TextTableModel;

/// Observed values at the levels of one factor, or of all: a box plot, and a table of numbers under it.
class LevelView : public View {
    Q_OBJECT

public:
    LevelView();

    /// Shows the runs whether or not they have a model.
    void showFit(const study::Study& study, const model::Fit& fit) override;

private:
    explicit LevelView(LevelPlot* plot);
    void fillChooser();
    void refresh();

    LevelPlot* m_plot;
    QComboBox* m_factor = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_note = nullptr;
    TextTableModel* m_model = nullptr;
    study::Study m_study;
    std::string m_response;
};

} // namespace quadric::widgets
