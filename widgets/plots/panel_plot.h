// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel_layout.h"
#include "widgets/plots/plot.h"

#include <memory>
#include <vector>

namespace quadric::widgets {

/// A plot that is described by a board of panels. Its dots tell what they are under the pointer; a click or
/// the arrow keys pick their runs.
class PanelPlot : public Plot {
    Q_OBJECT

public:
    explicit PanelPlot(QWidget* parent = nullptr);
    ~PanelPlot() override;

    /// Nothing but this reason is shown.
    void clear(const QString& reason);
    const PanelBoard& board() const { return m_board; }

    /// The panels in rows of so many, each row a plot of its own: title and legend stand above the first one,
    /// and panels of all rows are equally wide.
    std::vector<std::shared_ptr<PanelPlot>> inRows(std::size_t columns) const;

    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override { return m_board.table; }

    /// Where a dot is on the screen; the first panel's when several have the run. Empty when none has.
    std::optional<QPointF> positionOf(int run) const;

protected:
    /// A board without panels shows `reason`.
    void setBoard(PanelBoard board, const QString& reason = {});

    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    PanelLayout layoutOnScreen() const;
    const PanelDot* dotAt(QPointF position) const;
    QString tipAt(QPointF position) const;

    PanelBoard m_board;
    QString m_reason;
};

} // namespace quadric::widgets
