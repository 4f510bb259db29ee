// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/picked_runs.h"
#include "widgets/text/about.h"
#include "widgets/text/text_table.h"

#include <QRectF>
#include <QWidget>

#include <optional>
#include <vector>

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

    /// The numbers that are drawn; without columns there are none.
    virtual TextTable table() const { return {}; }

    /// What "What is this?" says.
    void setAbout(const About& about) { m_about = about; }
    const About& about() const { return m_about; }

    /// Simulated data: the plot carries a mark that says so.
    void setSimulated(bool simulated);
    bool isSimulated() const { return m_simulated; }

    /// The runs that are lit.
    virtual void setPickedRuns(const PickedRuns& runs);
    const PickedRuns& pickedRuns() const { return m_picked; }
    /// The current one of them; −1: none.
    int pickedRun() const { return m_picked.current; }

    QSize sizeHint() const override;

signals:
    void runsPicked(const quadric::widgets::PickedRuns& runs);

protected:
    /// paintTo() over the whole widget, and the focus frame.
    void paintEvent(QPaintEvent* event) override;
    /// Ctrl+C copies the picture.
    void keyPressEvent(QKeyEvent* event) override;
    /// Copy, save, view as table.
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    About m_about;
    bool m_simulated = false;
    PickedRuns m_picked;
};

/// The run that an arrow key asks for: the next one to the right or to the left of the picked one in `runs`.
/// Empty for other keys and without runs.
std::optional<int> runByKey(const QKeyEvent& event, const std::vector<int>& runs, int picked);

} // namespace quadric::widgets
