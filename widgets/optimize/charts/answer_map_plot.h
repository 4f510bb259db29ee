// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/merit_plots.h"
#include "core/study/study.h"
#include "widgets/plots/panel/panel_plot.h"

#include <QWidget>

#include <optional>
#include <utility>

class QComboBox;
class QHBoxLayout;

namespace quadric::widgets {

/// What a map of the answer shows over two factors; all values are actual ones.
struct AnswerMap {
    model::MarkedSurface surface = {}; ///< in colors; without nodes the limits stand alone
    optimize::LimitMap limits = {};
    QPointF shown = {}; ///< the setting that is looked at
    /// Of limits that stand alone, at their nodes: negative where a prediction is an extrapolation.
    Eigen::MatrixXd support = {};
    /// Likewise 1 where a setting may be the best and 0 elsewhere; empty: not known.
    Eigen::MatrixXd places = {};
    /// What is told of a place of the map; none: nothing.
    std::function<QString(double x, double y)> reading = {};
};

/// The score or a response over two factors in colors, and over it the limits of all responses: what they
/// forbid is shaded, each limit is a broken line with short strokes on the forbidden side and its name on it.
/// What no constraint allows is hatched, and so, in other ways, what no run supports and where runs fail. A
/// click, dragging the dot, or the arrow keys look at another setting.
class AnswerMapPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit AnswerMapPlot(QWidget* parent = nullptr);

    void setMap(const AnswerMap& map);
    /// Another setting on the same map; one was set.
    void setShown(QPointF shown);

signals:
    void placeRequested(double x, double y);
    /// A step by key: shares of both axes.
    void stepRequested(double x, double y);

protected:
    void placeAsked(QPointF values) override { emit placeRequested(values.x(), values.y()); }
    void keyPressEvent(QKeyEvent* event) override;
};

/// Adds a chooser of what is on an axis; its tooltip names the axis.
QComboBox* addAxisChooser(QHBoxLayout& row, const QString& name, QWidget* parent);

/// Chooses two different numeric factors as the axes of a plot; room for further choosers in the same line.
class AxisPair : public QWidget {
    Q_OBJECT

public:
    explicit AxisPair(QWidget* parent = nullptr);

    /// The choice is kept while the numeric factors stay the same.
    void setFactors(const std::vector<study::Factor>& factors);
    /// Indices in the study; empty where there are no two numeric factors.
    std::optional<std::pair<std::size_t, std::size_t>> axes() const;
    /// Chooses these without a word; none: nothing changes.
    void setAxes(const std::optional<std::pair<std::size_t, std::size_t>>& axes);

    /// Adds a chooser before those of the axes.
    void addBefore(QWidget* widget, int stretch = 2);

signals:
    void changed();

private:
    void swapWhenEqual(QComboBox* moved, QComboBox* other);

    QHBoxLayout* m_layout;
    QComboBox* m_first;
    QComboBox* m_second;
};

} // namespace quadric::widgets
