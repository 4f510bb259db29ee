// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "widgets/text/text_table.h"

#include <QWidget>

#include <vector>

class QLabel;
class QTableView;

namespace quadric::widgets {

class CubePanel;
class FdsPlot;
class TextTableModel;
struct JudgmentOptions;

/// A design with a name and its evaluation.
struct JudgedDesign {
    QString name;
    study::Study study;
    design::Evaluation evaluation;
};

/// "Name (15 runs)": as many as are evaluated.
JudgedDesign judgedDesign(const QString& name, const study::Study& study, const JudgmentOptions& options);

/// The numbers of several designs beside each other; the best of each row carries a mark.
TextTable comparisonTable(const std::vector<JudgedDesign>& designs);

/// Two to four designs side by side: their points, their prediction error over the region, and all numbers.
class ComparisonView : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonView(QWidget* parent = nullptr);
    void setDesigns(const std::vector<JudgedDesign>& designs);

private:
    QWidget* buildNumbers();

    CubePanel* m_cubes;
    FdsPlot* m_fds;
    QLabel* m_note;
    TextTableModel* m_numbers;
    QTableView* m_table;
};

} // namespace quadric::widgets
