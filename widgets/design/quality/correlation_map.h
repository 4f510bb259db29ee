// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel_plot.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace quadric::widgets {

/// How much the terms of a model correlate in a design: a square of cells, one for each pair of terms, darker
/// for a larger |r|, with a legend. The pointer reads a pair, a click or the arrow keys pick one.
class CorrelationMap : public PanelPlot {
    Q_OBJECT

public:
    explicit CorrelationMap(QWidget* parent = nullptr);

    /// Names of the terms and the correlation of each pair; NaN where there is none.
    void setCorrelations(std::vector<std::string> terms, Eigen::MatrixXd correlations);
    void clear(const QString& reason);

    /// "A × B and C²: r = −0.35" of the picked pair; empty without one.
    QString words() const;

protected:
    void placeAsked(QPointF values) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void pick(int row, int column);
    void showBoard();
    PanelCell cellAt(int row, int column) const;
    QString wordsOf(int row, int column) const;

    std::vector<std::string> m_terms;
    Eigen::MatrixXd m_correlations;
    int m_row = -1, m_column = -1; ///< the picked pair
};

} // namespace quadric::widgets
