// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/plot.h"
#include "widgets/plots/panel/panel_gestures.h"

#include <QPixmap>

#include <memory>
#include <vector>

namespace quadric::widgets {

/// A plot that is described by a board of panels. A crosshair reads the axes under the pointer, its dots and
/// bars tell what they are; a click or the arrow keys pick runs, the gestures of PanelBrush and Shift with
/// the arrows several; the gestures of PanelZoom look closer. Into a file and onto paper goes the whole plot,
/// whatever is looked at.
class PanelPlot : public Plot {
    Q_OBJECT

public:
    explicit PanelPlot(QWidget* parent = nullptr);
    ~PanelPlot() override;

    /// Nothing but this reason is shown.
    void clear(const QString& reason) { setBoard({}, reason); }
    const PanelBoard& board() const { return m_board; }

    /// The panels in rows of so many, each row a plot of its own: title and legend stand above the first one,
    /// and panels of all rows are equally wide.
    std::vector<std::shared_ptr<PanelPlot>> splitIntoRows(std::size_t columns) const;

    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override { return m_board.table; }
    void setPickedRuns(const PickedRuns& runs) override;
    void setHeld(const QString& held) override;

    /// Where a dot is on the screen; the first panel's when several have the run. Empty when none has.
    std::optional<QPointF> positionOf(int run) const;

    /// Where the panels are on the screen and which part of their axes they show.
    PanelLayout layoutOnScreen() const;

    /// What the crosshair reads, "x 1.2, y 34" with the titles of the axes; empty while there is none.
    QString crosshairText() const;

protected:
    /// A board without panels shows `reason`.
    void setBoard(PanelBoard board, const QString& reason = {});

    /// A dot was clicked; picks its run.
    virtual void dotClicked(const PanelDot& dot);
    /// A handle is dragged to these values of the first panel's axes, or they were clicked at where nothing
    /// is.
    virtual void placeAsked(QPointF) {}

    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void redraw();
    void paintScreen(double scale);
    void askForPlace(QPointF position);
    bool pickByKey(const QKeyEvent& event);

    PanelBoard m_board;
    PanelZoom m_zoom;
    PanelBrush m_brush;
    std::optional<QPointF> m_pointer;
    bool m_isHandleHeld = false;
    QPixmap m_screen; ///< the plot without crosshair
    bool m_isDrawn = false;
    bool m_isPaintingScreen = false; ///< what is looked at; else the whole plot
    QString m_reason;
};

} // namespace quadric::widgets
