// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/design/matrix/run_matrix_view.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QPushButton;

namespace quadric::widgets {

/// The matrix of runs with what is done to it: units of the settings, copy and paste.
class MatrixPanel : public QWidget {
    Q_OBJECT

public:
    explicit MatrixPanel(QWidget* parent = nullptr);

    void setStudy(const study::Study& study, MatrixEdits edits);
    RunMatrixModel& model() { return *m_model; }
    RunMatrixView& view() { return *m_view; }

private:
    QHBoxLayout* buildTools();

    RunMatrixModel* m_model;
    RunMatrixView* m_view;
    QComboBox* m_units;
    QPushButton* m_paste = nullptr;
};

} // namespace quadric::widgets
