// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessibleWidget>
#include <QRect>
#include <QString>

#include <vector>

namespace quadric::widgets {

class Plot;

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
    Plot& plot() const;

private:
    mutable std::vector<QAccessible::Id> m_children;
};

/// Every Plot is an AccessiblePlot from now on.
void makePlotsAccessible();

/// Tells assistive technology that the focused handle, or its value, is another one.
void announceHandle(Plot& plot, bool isOther);

} // namespace quadric::widgets
