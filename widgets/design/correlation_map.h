// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/plot.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace quadric::widgets {

/// How much the terms of a model overlap in a design: a square of cells, one for each pair of terms, darker
/// for a larger |r|, with a legend. Pointer and arrow keys pick a pair and say its number.
class CorrelationMap : public Plot {
    Q_OBJECT

public:
    explicit CorrelationMap(QWidget* parent = nullptr);

    /// Names of the terms and the correlation of each pair; NaN where there is none.
    void setCorrelations(std::vector<std::string> terms, Eigen::MatrixXd correlations);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;

    /// "A × B and C²: r = −0.35", or what is said while no pair is picked.
    QString words() const;

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Layout;
    Layout layoutIn(const QRectF& target, bool forPrint) const;
    void pick(int row, int column);
    void paintCells(QPainter& painter, const Layout& layout) const;
    void paintNames(QPainter& painter, const Layout& layout) const;
    void paintLegend(QPainter& painter, const Layout& layout) const;

    std::vector<std::string> m_terms;
    Eigen::MatrixXd m_correlations;
    QString m_reason;
    int m_row = -1, m_column = -1; ///< the picked pair
};

} // namespace quadric::widgets
