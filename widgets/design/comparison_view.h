// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "widgets/text/text_table.h"

#include <QWidget>

#include <array>

class QLabel;
class QTableView;

namespace quadric::widgets {

class DesignCube;
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

/// The numbers of two designs beside each other; the better one of each pair carries a mark.
TextTable comparisonTable(const JudgedDesign& first, const JudgedDesign& second);

/// Two designs side by side: their points, their prediction error over the region, and all numbers.
class ComparisonView : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonView(QWidget* parent = nullptr);
    void setDesigns(const JudgedDesign& first, const JudgedDesign& second);

private:
    QWidget* buildCubes();

    std::array<DesignCube*, 2> m_cubes{};
    std::array<QLabel*, 2> m_names{};
    FdsPlot* m_fds;
    TextTableModel* m_numbers;
    QTableView* m_table;
};

} // namespace quadric::widgets
