// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/curves.h"
#include "core/model/predict/factor_effects.h"
#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/base/plot_style.h"

namespace quadric::widgets {

/// Interactions of all pairs of factors at a glance: each cell has the curves along the factor of its column,
/// one for each end (each level) of the factor of its row. A click on a cell asks for its pair.
class InteractionMatrix : public Plot {
    Q_OBJECT

public:
    explicit InteractionMatrix(QWidget* parent = nullptr);

    /// `cells`: row by row, as many as factors along both sides; those of the diagonal are not looked at.
    void setCells(std::vector<std::vector<model::InteractionPlot>> cells,
                  const std::vector<model::FactorPair>& pairs);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override;

    /// Where the cell of this row and column is on the screen.
    QRectF cellOnScreen(std::size_t row, std::size_t column) const;

signals:
    /// The factors of a cell, the lower index first.
    void pairPicked(std::size_t first, std::size_t second);

protected:
    bool event(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    struct Layout;
    Layout layoutIn(const QRectF& area, const PlotStyle& style) const;
    void paintName(QPainter& painter, const QRectF& cell, std::size_t factor, const PlotStyle& style) const;
    void paintCell(QPainter& painter, const QRectF& cell, std::size_t row, std::size_t column,
                   const PlotStyle& style) const;
    void paintTicks(QPainter& painter, const Layout& layout, const PlotStyle& style) const;
    void paintLevels(QPainter& painter, const QRectF& area, std::size_t row, const PlotStyle& style) const;
    const model::FactorPair* pairOf(std::size_t row, std::size_t column) const;
    std::optional<std::pair<std::size_t, std::size_t>> cellAt(QPointF place) const;
    /// A cell whose columns' factor is this one.
    const model::InteractionPlot& along(std::size_t column) const
    {
        return m_cells[column == 0 ? 1 : 0][column];
    }
    /// A cell whose curves differ in this factor.
    const model::InteractionPlot& across(std::size_t row) const { return m_cells[row][row == 0 ? 1 : 0]; }

    std::vector<std::vector<model::InteractionPlot>> m_cells;
    std::vector<model::FactorPair> m_pairs;
    AxisScale m_response;
    QString m_title, m_reason;
};

} // namespace quadric::widgets
