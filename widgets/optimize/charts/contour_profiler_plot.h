// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/merit_plots.h"
#include "core/study/study.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_plot.h"

#include <QWidget>

#include <optional>
#include <utility>

class QComboBox;
class QHBoxLayout;

namespace quadric::widgets {

/// The limits of a map over the axes of the panel: what each of them forbids is shaded, and every limit is a
/// line with its name, allowed at the left of the way along it. Predictions are taken to be linear between
/// the nodes.
void addLimits(Panel& panel, const optimize::LimitMap& map);

/// The line of each response of the map at its value; without a value none.
void addContoursAt(Panel& panel, const optimize::LimitMap& map,
                   const std::vector<std::optional<double>>& values);

/// Where a grid over the axes of the panel is negative: a prediction is an extrapolation there; and its entry
/// in the legend. Nothing for an empty grid, and where only infeasible settings are concerned.
void addUnsupported(PanelBoard& board, Panel& panel, const optimize::LimitMap& map,
                    const Eigen::MatrixXd& support);

/// What failed runs say of the map, and its entries in the legend.
void addFailures(PanelBoard& board, Panel& panel, const optimize::LimitMap& map);

/// What the study's constraints forbid, and its entry in the legend.
void addConstraints(PanelBoard& board, Panel& panel, const optimize::LimitMap& map);

/// Outlines where a grid over the axes of the panel is 1 instead of 0, and their entry in the legend; nothing
/// for an empty one.
void addPlaces(PanelBoard& board, Panel& panel, const Eigen::MatrixXd& places);

/// What a contour profiler shows over two factors; all values are actual ones.
struct ContourProfile {
    optimize::LimitMap map;
    std::vector<std::optional<double>> contours = {}; ///< per response of the map; empty: limits alone
    QPointF shown = {};                               ///< the setting that is looked at
    /// At the nodes of the map: negative where a prediction is an extrapolation; empty: nowhere.
    Eigen::MatrixXd support = {};
    /// Over the same axes 1 where a setting may be the best and 0 elsewhere; empty: not known.
    Eigen::MatrixXd places = {};
    /// What is told of a place of the map; none: nothing.
    std::function<QString(double x, double y)> reading = {};
};

/// A line for every response at one of its values, and the limits of all responses laid over one another:
/// what they forbid is shaded, each limit is a broken line with short strokes on the forbidden side and its
/// name on it, what no constraint allows is hatched, and so, the other way, what no run supports. The sweet
/// spot is what stays clear. A click, dragging the dot of the crosshair, or the arrow keys look at another
/// setting.
class ContourProfilerPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit ContourProfilerPlot(QWidget* parent = nullptr);

    void setProfile(const ContourProfile& profile);

signals:
    void placeRequested(double x, double y);
    /// A step by key: shares of both axes.
    void stepRequested(double x, double y);

protected:
    void placeAsked(QPointF values) override { emit placeRequested(values.x(), values.y()); }
    void keyPressEvent(QKeyEvent* event) override;
};

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
    void addBefore(QWidget* widget, int stretch = 1);

signals:
    void changed();

private:
    void swapWhenEqual(QComboBox* moved, QComboBox* other);

    QHBoxLayout* m_layout;
    QComboBox* m_first;
    QComboBox* m_second;
};

} // namespace quadric::widgets
