// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/text/about.h"
#include "widgets/text/text_table.h"

#include <QAccessibleWidget>
#include <QRect>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QPainter;
class QMenu;

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

    /// Simulated data: a picture of the plot carries a mark that says so. On the screen the window does.
    void setSimulated(bool simulated);
    bool isSimulated() const { return m_simulated; }

    /// The runs that are lit.
    virtual void setPickedRuns(const PickedRuns& runs);
    const PickedRuns& pickedRuns() const { return m_picked; }
    /// The current one of them; −1: none.
    int pickedRun() const { return m_picked.current; }

    QSize sizeHint() const override { return {420, 300}; }

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

/// A painted part of a plot that is moved along an axis: for assistive technology, a slider.
struct PlotHandle {
    QString name;    ///< of what is moved: "batch [images]"
    QString text;    ///< its value in words: "128 images"
    QString reading; ///< what follows from it: "throughput 27 300 ± 900 img/s"
    double value = 0.0, low = 0.0, high = 0.0, step = 0.0;
    QRect place = {}; ///< in the plot
};

/// What a plot with handles offers beside its picture.
class PlotHandles {
public:
    virtual ~PlotHandles() = default;
    virtual std::vector<PlotHandle> handles() const = 0;
    /// The one that the keys move; −1: none.
    virtual int focusedHandle() const = 0;
    /// Asks for this value, as a drag does.
    virtual void moveHandle(int handle, double value) = 0;
};

/// A plot as assistive technology sees it: a graphic with a name and a description of what it shows, and a
/// slider for each of its handles.
class AccessiblePlot : public QAccessibleWidget {
public:
    explicit AccessiblePlot(Plot& plot);
    ~AccessiblePlot() override;

    QString text(QAccessible::Text which) const override;
    QAccessible::State state() const override;
    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* focusChild() const override;
    QAccessibleInterface* childAt(int x, int y) const override;

protected:
    /// What is shown at this moment, in words; empty: only what such a plot shows in general.
    virtual QString reading() const { return {}; }
    Plot& plot() const { return *static_cast<Plot*>(widget()); }

private:
    mutable std::vector<QAccessible::Id> m_children;
};

/// Every Plot is an AccessiblePlot from now on.
void makePlotsAccessible();

/// Tells assistive technology that the focused handle, or its value, is another one.
void announceHandle(Plot& plot, bool isOther);

/// "pareto-images_per_sec": letters, digits, "_" and "-" of what is named, whatever the study calls it, so
/// that no name leads out of a folder.
QString pictureStem(const QStringList& words);

/// The file that a picture of the plot is saved to unless another is chosen: study, view and response,
/// "ResNet-50-scaling-pareto-images_per_sec.svg".
QString pictureName(const Plot& plot, const QString& ending);

/// Fills a menu with what can be done with every plot: copy, save as SVG, PDF or PNG, view as table, and what
/// it is.
void addPlotActions(QMenu& menu, Plot& plot);

} // namespace quadric::widgets
