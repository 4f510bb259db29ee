// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/running_map.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;

namespace quadric::widgets {

class FactorSliders;
class Plot;
class SliceBar;

/// Which plane of a model is shown: two factors by their index, the others held.
struct ModelPlane {
    const model::Fit& fit;
    std::size_t x = 0, y = 0;
    study::CodedPoint at;
};

/// A plot of one fitted response over two factors, with choosers for the two and sliders for the others under
/// it, or one line that opens them where there is little room.
class FactorPlane : public QWidget {
    Q_OBJECT

public:
    /// Keeps the study's simulated mark on the plot; `fit` without a model shows its message.
    void showFit(const study::Study& study, const model::Fit& fit);
    /// The factors are held elsewhere, in the same study.
    void moveSlice(const study::Study& study);

    /// Puts these factors on the axes; others than two different numeric ones change nothing.
    void setAxes(std::size_t x, std::size_t y);

    /// Puts a widget behind the choosers of the axes.
    void addTool(QWidget* tool);

    Plot& plot() { return *m_plot; }

signals:
    /// The user wants this factor held at this value.
    void valueHeld(const QString& factor, const quadric::study::Value& value);

protected:
    explicit FactorPlane(Plot* plot, QWidget* parent);

    void resizeEvent(QResizeEvent* event) override;

    virtual void showGrid(const model::MarkedSurface& grid, const ModelPlane& plane) = 0;
    virtual void showReason(const QString& reason) = 0;

private:
    void fillChoosers(const std::vector<study::Factor>& factors);
    void keepAxesApart(QComboBox* changed, QComboBox* other);
    void refresh();
    void showHeld();

    QHBoxLayout* m_axes = nullptr;
    QComboBox* m_x = nullptr;
    QComboBox* m_y = nullptr;
    Plot* m_plot;
    FactorSliders* m_sliders = nullptr;
    SliceBar* m_bar; ///< in place of the sliders where they would take the plot's room
    study::Study m_study;
    model::Fit m_fit; ///< the polynomial, or the process in its place
};

} // namespace quadric::widgets
