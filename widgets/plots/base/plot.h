// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/picked_runs.h"
#include "widgets/text/about.h"
#include "widgets/text/text_table.h"

#include <QRectF>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QPainter;

namespace quadric::widgets {

struct PlotStyle;

/// What a picture of a plot is made from: for its foot and the name of its file.
struct PictureSource {
    QString study = {};
    QStringList responses = {};
};

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

    void setSource(const PictureSource& source) { m_source = source; }
    const PictureSource& source() const { return m_source; }

    /// What the factors that the plot does not show are set to: "at bucket_mb 8 MB · precision fp32"; empty
    /// where it shows them all. Written in pictures: on the screen the controls beside the plot say it.
    virtual void setHeld(const QString& held);
    const QString& held() const { return m_held; }

    /// From now on the plot is drawn for a picture, or for the screen.
    void setPictured(bool isPictured) { m_isPictured = isPictured; }

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
    /// Fills the ground and draws title, held factors and the mark of simulated data; what is left for the
    /// plot.
    QRectF paintHeader(QPainter& painter, const QRectF& target, const PlotStyle& style,
                       const QString& title) const;

    /// paintTo() over the whole widget, and the focus frame.
    void paintEvent(QPaintEvent* event) override;
    /// Ctrl+C copies the picture.
    void keyPressEvent(QKeyEvent* event) override;
    /// Copy, save, view as table.
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    About m_about;
    PictureSource m_source;
    QString m_held;
    bool m_isPictured = false;
    bool m_simulated = false;
    PickedRuns m_picked;
};

/// The run that an arrow key asks for: the next one to the right or to the left of the picked one in `runs`.
/// Empty for other keys and without runs.
std::optional<int> runByKey(const QKeyEvent& event, const std::vector<int>& runs, int picked);

} // namespace quadric::widgets
