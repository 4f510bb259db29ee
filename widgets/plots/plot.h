// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QWidget>

class QPainter;

namespace quadric::widgets {

/// What every plot can do: be drawn on screen and, the same way, into any painter (report, SVG, PDF, PNG).
class Plot : public QWidget {
    Q_OBJECT

public:
    explicit Plot(QWidget* parent = nullptr);

    /// Draws the plot as vectors into `target` (logical pixels of the painter, 96 dpi), light theme if
    /// `forPrint`.
    virtual void paintTo(QPainter& painter, const QRectF& target, bool forPrint) = 0;

    /// Simulated data: the plot carries a mark that says so.
    void setSimulated(bool simulated);
    bool isSimulated() const { return m_simulated; }

    /// The run that is lit; −1: none.
    virtual void setPickedRun(int runId);
    int pickedRun() const { return m_pickedRun; }

    QSize sizeHint() const override;

signals:
    void runPicked(int runId);

protected:
    /// paintTo() over the whole widget, and the focus frame.
    void paintEvent(QPaintEvent* event) override;
    /// Copy and save the picture.
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void askWhereToSave();

    bool m_simulated = false;
    int m_pickedRun = -1;
};

} // namespace quadric::widgets
