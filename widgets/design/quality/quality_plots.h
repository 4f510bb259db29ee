// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
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
    QString describeCorrelation(int row, int column) const;

    std::vector<std::string> m_terms;
    Eigen::MatrixXd m_correlations;
    int m_row = -1, m_column = -1; ///< the picked pair
};

struct FdsCurve {
    QString name; ///< empty where there is only one
    std::vector<design::FdsPoint> points;
};

/// Fraction-of-design-space curves (Zahran, Anderson-Cook & Myers 2003): how well a design predicts over the
/// region. Low and flat is good. Several designs can be laid over one another, each with its own line style.
class FdsPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit FdsPlot(QWidget* parent = nullptr);
    void setCurves(std::vector<FdsCurve> curves);

    /// "half of the region is predicted within 0.45 σ, nine tenths within 0.62 σ, …", design by design.
    QString words() const;

private:
    std::vector<FdsCurve> m_curves;
};

/// Chance to find the effect of each term: one bar a term, grouped into main effects, interactions and
/// quadratic effects, with a line at the 80 % that people usually ask for. As high as its rows need.
class PowerBars : public PanelPlot {
    Q_OBJECT

public:
    explicit PowerBars(QWidget* parent = nullptr);
    void setPower(const std::vector<design::PowerRow>& rows);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }
};

} // namespace quadric::widgets
