// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"
#include "core/study/coding.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;

namespace quadric::widgets {

class FactorSliders;
class SurfaceView;

/// The surface of one fitted response with choosers for its two axes, and sliders for the other factors under
/// it.
class SurfacePanel : public QWidget {
    Q_OBJECT

public:
    explicit SurfacePanel(QWidget* parent = nullptr);

    /// The study's simulated mark goes to the plot; `fit` without a model shows its message.
    void showFit(const study::Study& study, const model::Fit& fit);
    /// Holds the factors that are not axes here; hides the sliders for good.
    void showFitAt(const study::Study& study, const model::Fit& fit, const study::CodedPoint& point);

    /// Puts a chooser before those of the axes.
    void addChooser(QComboBox* chooser);

    SurfaceView& surface() { return *m_surface; }
    study::CodedPoint heldAt() const;

private:
    void fillChoosers(const std::vector<study::Factor>& factors);
    void keepAxesApart(QComboBox* changed, QComboBox* other);
    void refresh();

    QHBoxLayout* m_axes = nullptr;
    QComboBox* m_x = nullptr;
    QComboBox* m_y = nullptr;
    SurfaceView* m_surface = nullptr;
    FactorSliders* m_sliders = nullptr;
    study::Study m_study;
    model::Fit m_fit;
    study::CodedPoint m_point; ///< empty: the sliders say where
};

} // namespace quadric::widgets
